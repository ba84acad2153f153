/**
 * What of a repository runs as code, or leads git to what does.
 *
 * GITCODE-1. A folder is a repository where git takes it for one, whatever its name is: what git would run from it is code.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Whether git takes a folder with these names in it for a repository. */
export function isRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'))
}

/** Parts that are never there for a moment only: one that is not there cannot be made. git takes an empty one for none. */
const settings = ['hooks', 'config', 'config.worktree']
/** A list of steps: git runs what stands behind `exec`. */
const steps = join('rebase-merge', 'git-rebase-todo')
/** Folders of submodules in submodules that are looked at. */
const deepest = 8

/** The parts of a repository that run as code; its settings also where they are not there. */
export function gitCodeIn(repository: string, depth = 0): readonly string[] {
  const own = settings.map((name) => join(repository, name))
  const leading = [join(repository, 'commondir')].filter((path) => existsSync(path))
  const running = [join(repository, steps)].filter((path) => /^\s*(?:x|exec)\s/mu.test(textOf(path)))
  const modules = depth < deepest ? repositoriesBelow(join(repository, 'modules'), depth).flatMap((one) => gitCodeIn(one, depth + 1)) : []
  const trees = namesIn(join(repository, 'worktrees')).flatMap((name) =>
    ['commondir', 'config.worktree'].map((part) => join(repository, 'worktrees', name, part)).filter((path) => existsSync(path)),
  )
  return [...own, ...leading, ...running, ...modules, ...trees]
}

/** The repositories in a folder of submodules: their names may have folders in them. */
function repositoriesBelow(folder: string, depth: number): readonly string[] {
  if (depth > deepest) return []
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name)
    const names = namesIn(path)
    return isRepository(new Set(names)) ? [path] : names.length > 0 ? repositoriesBelow(path, depth + 1) : []
  })
}

/** What git writes itself into the settings of a new repository. */
const harmlessSetting = /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)\s*=\s*(?:true|false|0)$/i

/** Whether a part of a repository that was just made runs nothing: what `git init` makes is no code. */
export function runsNothing(path: string): boolean {
  if (/[/\\]hooks$/u.test(path) && isFolder(path)) return namesIn(path).every((name) => name.endsWith('.sample'))
  if (!/[/\\]config$/u.test(path)) return false
  const lines = textOf(path)
    .split('\n')
    .map((line) => line.trim())
  return lines.every((line) => line === '' || line === '[core]' || harmlessSetting.test(line))
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const largest = 1024 * 1024

/** The text of a file; what cannot be read, or is too long, is taken for an order. */
function textOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats) return ''
    return stats.isFile() && stats.size <= largest ? readFileSync(path, 'utf8') : 'exec ?'
  } catch {
    return 'exec ?'
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
