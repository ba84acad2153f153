/** A frame as a server sends it. */
import type { Call, Entry, Frame, Run, StepRecord } from '@loom-agent/kernel'

/** A list in place of a tree. */
type Lists<T, K extends keyof T> = { readonly [Name in K]: T[Name] extends { readonly root: infer Node } ? readonly ItemOf<Node>[] : never }
type ItemOf<Node> = Node extends readonly (infer Item)[] ? Exclude<Item, readonly unknown[]> : never

/** A call as a server sends it. */
export type PlainCall = Omit<Call, 'done'> & {
  /** The records of its steps. */
  readonly done: readonly StepRecord[]
}

/** A run as a server sends it. */
export type PlainRun = Omit<Run, 'calls'> & {
  /** The calls of the run. */
  readonly calls: readonly PlainCall[]
}

/** The state of a thread after an event, with lists as JSON has them. */
export type PlainFrame = Omit<Frame, 'run' | 'history' | 'starts' | 'summaries' | 'answered'> & {
  /** The run that is under way, or was the last. */
  readonly run?: PlainRun
  /** The entries of the conversation. */
  readonly history: readonly Entry[]
} & Lists<Frame, 'starts' | 'summaries' | 'answered'>
