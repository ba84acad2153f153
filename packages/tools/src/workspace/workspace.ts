/** A folder whose files agents change: what was changed is recorded, and put back by a rewind. */
import { resolve } from 'node:path'
import type { Tool, ToolContext, Workspace } from '@loom-agent/agent'
import { type ChangedFiles, checkOptions, type Expected, expected, toolDefinitionOf, withCaution, withChanges } from '@loom-agent/agent/kit'
import { createGuard } from '../files/guard.ts'
import { journalPaths } from '../files/journal-files.ts'
import { defaultWorkspace, type ProtectOptions, protectShape } from '../files/options.ts'
import { codePaths, secretPaths } from '../files/protected-paths.ts'
import { aroundBody, type EnterBody } from '../toolkit/around-body.ts'
import { differenceOf } from './difference.ts'
import { lookAt, type PutBounds, putBack } from './put-back.ts'
import { createScanner, type Scan, type ScanBounds, type Scanner } from './scan.ts'

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
/** Milliseconds that a look after a call may take that was stopped: its grace period goes on. */
const hurried = 1_000

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
  const { secrets = secretPaths, code = codePaths } = protect
  const { maxFiles = 10_000, maxBytes = 64 * 1024 * 1024, maxTime = 5_000 } = options
  const place = { root: resolve(options.root), guard: createGuard({ secrets, code, verdict: 'ask' }), journals: journalPaths(journals) }
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
  watchers.set(made, watcher)
  return made
}

/** Looks at the files around work. */
export interface Watcher {
  /** Does work with a look before and after; what it returns or throws says what was changed. */
  watch(work: EnterBody, context: Pick<ToolContext, 'signal'>): Promise<unknown>
  /** All files as they are now. */
  scan(): Promise<Scan>
  /** What was changed since a scan. */
  changesSince(before: Scan): Promise<ChangedFiles>
  /** Why what a call changes may not be put back; undefined where it can be. */
  caution(): Promise<string | undefined>
}

const watchers = new WeakMap<object, Watcher>()

/** How a workspace looks at its files; undefined for workspaces that others have made. */
export const watcherOf = (given: object): Watcher | undefined => watchers.get(given)

/** Whether `workspace()` made a value. */
export const isFolderWorkspace = (given: object): given is FolderWorkspace => watchers.has(given)

function createWatcher(name: string | undefined, { keeps, scan }: { readonly keeps: boolean; readonly scan: Scanner }): Watcher {
  let last: Promise<unknown> = Promise.resolve()
  /** One at a time: what two calls change at once could not be told apart. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
  const changesSince = async (before: Scan, maxTime?: number): Promise<ChangedFiles> => differenceOf(before, await scan(maxTime), name)
  return {
    scan: () => scan(),
    changesSince: (before) => changesSince(before),
    watch: (work, { signal }) =>
      alone(async () => {
        const before = await scan()
        signal.throwIfAborted()
        let returned: unknown
        try {
          returned = await work()
        } catch (error) {
          throw noted(error, await changesSince(before, signal.aborted ? hurried : undefined))
        }
        return noted(returned, await changesSince(before))
      }),
    caution: async () => (keeps ? (await scan()).unseen : 'its workspace keeps no contents'),
  }
}

const noted = (value: unknown, changed: ChangedFiles): unknown =>
  changed.files.length === 0 && changed.unseen === undefined ? value : withChanges(value, changed)

function watchedTool<Deps>(given: Tool<Deps>, watcher: Watcher): Tool<Deps> {
  const { effect = 'unsafe' } = toolDefinitionOf(given)
  const isHarmless = (one: unknown): boolean => one === 'pure' || one === 'read'
  if (isHarmless(effect)) return given
  const watched = aroundBody(given, 'watching', (enter, { input, context }) =>
    typeof effect === 'function' && isHarmless(effect(input)) ? enter() : watcher.watch(enter, context),
  )
  return withCaution(watched, cautionOf(watcher))
}

/** What a question about a call says, where what it changes may not be put back. */
const cautionOf = (watcher: Watcher) => async (): Promise<string | undefined> => {
  const why = await watcher.caution()
  return why === undefined ? undefined : `What it changes is not restorable: ${why}.`
}
