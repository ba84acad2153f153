/**
 * What became of the files of workspaces, turn by turn: a fold over the events of one thread.
 *
 * A change counts from the event after which it was made: the end of its step, or of its call where no step has it. Of a step that has begun and not ended
 * it is not known.
 */
import { type EventOf, type EventType, type FileChange, type FileConflict, type LoomEvent, own } from '@loom-agent/kernel'
import type { Projection } from '../view/projection.ts'

/** A change of one file. */
export interface ChangedFile extends FileChange {
  /** The event after which it was made. */
  readonly seq: number
  /** When that was stored, in milliseconds since 1970. */
  readonly time: number
  /** The call that made it. */
  readonly call?: string
  /** Who made it, where no call did. */
  readonly by?: string
  /** It may or may not have been made: its step has begun and not ended. */
  readonly isUncertain?: true
}

/** What became of files in one turn. */
export interface TurnChanges {
  /** The run. */
  readonly run: string
  /** The turn; 0 for what a rewind put back before the first one. */
  readonly turn: number
  /** The changes, in order. */
  readonly files: readonly ChangedFile[]
  /** Why there may be more changes than these. */
  readonly unseen: readonly string[]
  /** Files that a rewind has left as they were. */
  readonly conflicts: readonly FileConflict[]
}

interface ChangesState {
  readonly turns: { run: string; turn: number; files: ChangedFile[]; unseen: string[]; conflicts: FileConflict[] }[]
  run: string
  turn: number
  /** What steps are about to change, by call and key. */
  open: { [step: string]: { seq: number; time: number; turn: number; call: string; files: readonly FileChange[] } }
  /** The files that the steps of a call have changed. */
  bySteps: { [call: string]: string[] }
}

type Handlers = { readonly [T in EventType]?: (state: ChangesState, event: EventOf<T>) => void }

const nameOf = ({ workspace = '', path }: FileChange): string => `${workspace}:${path}`

/** The turn under way. Turns that change nothing have no row. */
function current({ turns, run, turn }: ChangesState): ChangesState['turns'][number] {
  const last = turns.at(-1)
  if (last?.run === run && last.turn === turn) return last
  const next = { run, turn, files: [], unseen: [], conflicts: [] }
  turns.push(next)
  return next
}

function change(
  state: ChangesState,
  { seq, time }: LoomEvent,
  made: { files: readonly FileChange[]; call?: string | undefined; by?: string | undefined },
): void {
  if (made.files.length === 0) return
  const { call, by } = made
  const whose = { ...(call !== undefined && { call }), ...(by !== undefined && { by }) }
  current(state).files.push(...made.files.map((file) => ({ ...file, seq, time, ...whose })))
}

const handlers: Handlers = {
  'run.started': (state, { data }) => {
    state.run = data.run
  },
  'turn.entered': (state, { data }) => {
    state.turn = data.turn
  },
  'tool.step-started': (state, { seq, time, data: { call, key, files } }) => {
    if (files) state.open[`${call}/${key}`] = { seq, time, turn: state.turn, call, files }
  },
  'tool.step-finished': (state, event) => {
    const { call, key, error } = event.data
    const step = own(state.open, `${call}/${key}`)
    delete state.open[`${call}/${key}`]
    if (!step || error) return
    const { files } = step
    state.bySteps[call] = [...(own(state.bySteps, call) ?? []), ...files.map(nameOf)]
    change(state, event, { files, call })
  },
  'tool.finished': (state, event) => {
    const { call, files = [], unseen } = event.data
    const known = new Set(own(state.bySteps, call))
    delete state.bySteps[call]
    change(state, event, { files: files.filter((file) => !known.has(nameOf(file))), call })
    if (unseen !== undefined) current(state).unseen.push(`the call ${call}: ${unseen}`)
  },
  'workspace.changed': (state, event) => {
    const { by, call, files = [], unseen } = event.data
    change(state, event, { files, call, by })
    if (unseen !== undefined) current(state).unseen.push(`${by ?? `the call ${call}`}: ${unseen}`)
  },
  'workspace.restored': (state, event) => {
    const { files, conflicts = [] } = event.data
    change(state, event, { files, by: 'rewind' })
    if (conflicts.length > 0) current(state).conflicts.push(...conflicts)
  },
}

/**
 * The changes of files, by turn.
 *
 * @example
 * const { view } = await createProjector(journal).view(fileChanges, 'user-123')
 * for (const { turn, files } of view) console.log(turn, files.map(({ path }) => path))
 */
export const fileChanges: Projection<ChangesState, readonly TurnChanges[]> = {
  name: 'file-changes',
  version: 1,
  start: () => ({ turns: [], run: '', turn: 0, open: {}, bySteps: {} }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: ChangesState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
  },
  view: ({ turns, run, open }) => {
    const uncertain = Object.values(open).map(({ seq, time, turn, call, files }) => {
      const changed = files.map((file): ChangedFile => ({ ...file, seq, time, call, isUncertain: true }))
      return { run, turn, files: changed, unseen: [], conflicts: [] }
    })
    return uncertain.length === 0 ? turns : [...turns, ...uncertain]
  },
}
