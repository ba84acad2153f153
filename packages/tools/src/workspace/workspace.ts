/** A folder whose files agents change: what was changed is recorded, and put back by a rewind. */
import { resolve } from 'node:path'
import type { Tool, Workspace } from '@loom-agent/agent'
import { checkOptions, type Expected, expected, toolDefinitionOf, withCaution } from '@loom-agent/agent/kit'
import { guardOf, type ProtectOptions, protectShape } from '../files/declared-paths.ts'
import { journalPaths } from '../files/journal-files.ts'
import { defaultWorkspace } from '../files/options.ts'
import { aroundBody } from '../toolkit/around-body.ts'
import { lookAt, type PutBounds, putBack } from './put-back.ts'
import { createScanner, type ScanBounds } from './scan.ts'
import { cautionOf, createWatcher, noteWatcher, type Watcher } from './watcher.ts'

/** The options of `workspace()`. */
export interface WorkspaceOptions {
  /** The folder: that of the file tools. */
  readonly root: string
  /** The name under which changes are recorded; default `workspace`. */
  readonly name?: string
  /** What is recorded of each file that a watched tool has changed: the hashes of its content (default), or with `snapshots` the contents as well. */
  readonly contents?: 'hashes' | 'snapshots'
  /** Paths that are never put back, and of which those that may hold secrets are never kept. */
  readonly protect?: Omit<ProtectOptions, 'verdict'>
  /** The files and folders of journals; databases and journals that are recognised need not be named. */
  readonly journals?: readonly string[]
  /** Names of files and folders that are no part of the workspace, wherever they are; default `.git` and `node_modules`. */
  readonly leaveOut?: readonly string[]
  /** Files that are looked at around a call, at most; default 10,000. */
  readonly maxFiles?: number
  /** Bytes that these files may have together; default 64 MiB. With `snapshots` they stay in memory. */
  readonly maxBytes?: number
  /** Milliseconds that a look may take, before a call and after it; default 5,000. */
  readonly maxTime?: number
}

/** A workspace that is a folder. */
export interface FolderWorkspace extends Workspace {
  /**
   * The tool, with a look at the files before each of its calls and after it: what it has changed is recorded with its result. Beyond the bounds of the
   * workspace the record says so, and so does the question whether the call may run. Tools that only read are returned as they are; durable ones cannot be
   * watched.
   */
  watching<Deps>(tool: Tool<Deps>): Tool<Deps>
}

const names = expected.list(expected.name, 'a list of names')

const workspaceShape: Readonly<Record<keyof WorkspaceOptions, Expected>> = {
  root: expected.required({ ...expected.name, words: 'the path of a folder' }),
  name: expected.name,
  contents: expected.oneOf('hashes', 'snapshots'),
  protect: expected.options({ secrets: protectShape.secrets, code: protectShape.code }),
  journals: expected.list(expected.name, 'a list of paths'),
  leaveOut: names,
  maxFiles: expected.whole(1),
  maxBytes: expected.whole(1),
  maxTime: expected.whole(1),
}

/** Bytes that a file may have that is put back or removed: all of them are read for its hash. */
const largestLooked = 256 * 1024 * 1024

/**
 * The workspace of an agent: `rewind` puts its files back, and `watching` finds what commands and other tools change in it.
 *
 * @example
 * const files = workspace({ root: './repo', contents: 'snapshots' })
 * const coder = agent({ name: 'coder', model, workspace: files, tools: { ...fileTools({ root: './repo', workspace: 'snapshots' }) } })
 */
export function workspace(options: WorkspaceOptions): FolderWorkspace {
  checkOptions('workspace', options, workspaceShape)
  const { name = defaultWorkspace, contents = 'hashes', protect = {}, journals = [], leaveOut = ['.git', 'node_modules'] } = options
  const { maxFiles = 10_000, maxBytes = 64 * 1024 * 1024, maxTime = 5_000 } = options
  const place = { root: resolve(options.root), guard: guardOf({ protect }), journals: journalPaths(journals) }
  const putting: PutBounds = { ...place, maxFileBytes: largestLooked }
  const keeps = contents === 'snapshots'
  const scanning: ScanBounds = { ...place, leaveOut: new Set(leaveOut), keeps, maxFiles, maxBytes, maxTime }
  const watcher = createWatcher(name === defaultWorkspace ? undefined : name, { keeps, scan: createScanner(scanning) })
  const made: FolderWorkspace = {
    name,
    look: (path) => lookAt(path, putting),
    put: (file) => putBack(file, putting),
    watching: (tool) => watchedTool(tool, watcher),
  }
  noteWatcher(made, watcher)
  return made
}

function watchedTool<Deps>(given: Tool<Deps>, watcher: Watcher): Tool<Deps> {
  const { effect = 'unsafe' } = toolDefinitionOf(given)
  const isHarmless = (one: unknown): boolean => one === 'pure' || one === 'read'
  if (isHarmless(effect)) return given
  const watched = aroundBody(given, 'watching', (enter, { input, context }) =>
    typeof effect === 'function' && isHarmless(effect(input)) ? enter() : watcher.watch(enter, context),
  )
  return withCaution(watched, cautionOf(watcher))
}
