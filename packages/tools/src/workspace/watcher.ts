/** Looking at the files of a workspace around calls. */
import type { ToolContext } from '@loom-agent/agent'
import { type ChangedFiles, withChanges } from '@loom-agent/agent/kit'
import type { EnterBody } from '../toolkit/around-body.ts'
import { differenceOf } from './difference.ts'
import type { Scan, Scanner } from './scan.ts'

/** Milliseconds that a look after a call may take that was stopped: its grace period goes on. */
const hurried = 1_000

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

/** Makes a watcher of a workspace, under the name that its changes have where it is not the usual one. */
export function createWatcher(name: string | undefined, { keeps, scan }: { readonly keeps: boolean; readonly scan: Scanner }): Watcher {
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

/** What a question about a call says, where what it changes may not be put back. */
export const cautionOf = (watcher: Watcher) => async (): Promise<string | undefined> => {
  const why = await watcher.caution()
  return why === undefined ? undefined : `What it changes is not restorable: ${why}.`
}

const watchers = new WeakMap<object, Watcher>()

/** Notes how a workspace looks at its files. */
export function noteWatcher(workspace: object, watcher: Watcher): void {
  watchers.set(workspace, watcher)
}

/** How a workspace looks at its files; undefined for workspaces that others have made. */
export const watcherOf = (workspace: object): Watcher | undefined => watchers.get(workspace)
