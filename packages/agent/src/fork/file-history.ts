/**
 * What a thread has recorded of files: a fold over its events.
 *
 * FILES-1. A change counts from the event after which it was made: the end of its step, or of its call where no step has it. One whose step has begun and has
 *     not ended may or may not have been made.
 * FILES-2. What a look at the files has found may have been made by somebody else at the same time. What a call has changed whose performer was lost was looked
 *     at by nobody: it is named.
 */
import type { EventOf, EventType, FileChange, LoomEvent, Seq } from '@loom-agent/kernel'

/** A change of a file, and when it was made. */
export interface RecordedChange {
  readonly seq: Seq
  readonly time: number
  readonly change: FileChange
  /** Whether it was certainly made. */
  readonly isCertain: boolean
  /** It was found by a look at the files before and after, which does not tell who changed them. */
  readonly isSeen?: true
}

/** A call that may have changed more than it has recorded. */
export interface Unseen {
  readonly seq: Seq
  readonly time: number
  /** The call, or who else it was, and why. */
  readonly words: string
}

/** A child, and when it was begun. */
export interface RecordedChild {
  readonly seq: Seq
  readonly time: number
  readonly child: string
}

/** What a thread has recorded of files, and its children, which have records of their own. */
export interface FileHistory {
  readonly changes: readonly RecordedChange[]
  readonly unseen: readonly Unseen[]
  readonly children: readonly RecordedChild[]
}

interface Folding {
  readonly changes: RecordedChange[]
  readonly unseen: Unseen[]
  readonly children: RecordedChild[]
  /** What steps are about to change, by call and key. */
  readonly open: Map<string, { readonly at: LoomEvent; readonly files: readonly FileChange[] }>
  /** The files that the steps of a call have changed. */
  readonly bySteps: Map<string, Set<string>>
  /** The epochs in which calls have begun that have no result; durable bodies say by their steps what they change. */
  readonly begun: Map<string, number>
  epoch: number
}

const nameOf = ({ workspace = '', path }: FileChange): string => `${workspace}:${path}`

const folds: { readonly [K in EventType]?: (folding: Folding, event: EventOf<K>) => void } = {
  'tool.started'(folding, event) {
    const { call, effect, durable } = event.data
    if (durable || effect === 'pure' || effect === 'read') return
    noteLost(folding, event, call)
    folding.begun.set(call, folding.epoch)
  },
  'tool.in-doubt': (folding, event) => noteLost(folding, event, event.data.call),
  'driver.acquired'(folding, { data: { epoch } }) {
    folding.epoch = epoch
  },
  'tool.step-started'({ open }, event) {
    const { call, key, files } = event.data
    if (files) open.set(`${call}/${key}`, { at: event, files })
  },
  'tool.step-finished'(folding, event) {
    const { call, key, error } = event.data
    const step = folding.open.get(`${call}/${key}`)
    folding.open.delete(`${call}/${key}`)
    if (!step || error) return
    const named = folding.bySteps.get(call) ?? new Set()
    folding.bySteps.set(call, named)
    for (const change of step.files) named.add(nameOf(change))
    add(folding, event, step.files)
  },
  'tool.finished'(folding, event) {
    const { call, files = [], unseen } = event.data
    const seen = files.filter((change) => !folding.bySteps.get(call)?.has(nameOf(change)))
    addSeen(folding, event, seen)
    noteLost(folding, event, call)
    folding.begun.delete(call)
    if (unseen !== undefined) note(folding, event, `the call ${call}: ${unseen}`)
  },
  'workspace.changed'(folding, event) {
    const { by, call, files = [], unseen } = event.data
    addSeen(folding, event, files)
    if (unseen !== undefined) note(folding, event, `${by ?? `the call ${call}`}: ${unseen}`)
  },
  'child.started'({ children }, { seq, time, data: { child } }) {
    children.push({ seq, time, child })
  },
}

function add({ changes }: Folding, { seq, time }: LoomEvent, files: readonly FileChange[]): void {
  for (const change of files) changes.push({ seq, time, change, isCertain: true })
}

/** Adds what a look has found. */
function addSeen({ changes }: Folding, { seq, time }: LoomEvent, files: readonly FileChange[]): void {
  for (const change of files) changes.push({ seq, time, change, isCertain: true, isSeen: true })
}

/** Notes a call that another driver has begun: its performer was lost before it had looked what was changed. */
function noteLost(folding: Folding, event: LoomEvent, call: string): void {
  if ((folding.begun.get(call) ?? folding.epoch) === folding.epoch) return
  folding.begun.delete(call)
  note(folding, event, `the call ${call}: its process was lost, and what it had changed until then is not known`)
}

function note({ unseen }: Folding, { seq, time }: LoomEvent, words: string): void {
  unseen.push({ seq, time, words })
}

/** What the events of a thread say of files, in their order. */
export function fileHistory(events: readonly LoomEvent[]): FileHistory {
  const folding: Folding = { changes: [], unseen: [], children: [], open: new Map(), bySteps: new Map(), begun: new Map(), epoch: 0 }
  for (const event of events) folds[event.type]?.(folding, event as never)
  for (const { at, files } of folding.open.values())
    for (const change of files) folding.changes.push({ seq: at.seq, time: at.time, change, isCertain: false })
  const { changes, unseen, children } = folding
  return { changes: changes.sort((a, b) => a.seq - b.seq), unseen, children }
}
