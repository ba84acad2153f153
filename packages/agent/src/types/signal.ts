/** Signals: live and provisional. They name the attempt they belong to; a newer attempt retracts them. */

/** Where a signal belongs. */
export interface SignalPlace {
  /** The id of the thread. */
  readonly thread: string
  /** The run that is under way. */
  readonly run: string
  /** The turn that is under way. */
  readonly turn: number
}

interface FromModel extends SignalPlace {
  /** Which attempt at the model; a later attempt retracts the signals of earlier ones. */
  readonly attempt: number
}

interface ModelSignal extends FromModel {
  readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'
}

interface ModelDelta extends FromModel {
  readonly type: 'text-delta' | 'reasoning-delta'
  /** The next piece of text. */
  readonly text: string
  /** Given to a viewer that joins in the middle of a reply, or comes back to it: `text` is all of it so far, in place of what the viewer has. */
  readonly isWhole?: true
}

/** The model writes the arguments of a call. */
interface ArgumentSignal extends FromModel {
  /** The provider's id of the call. */
  readonly id: string
}

interface ArgumentStart extends ArgumentSignal {
  readonly type: 'input-start'
  /** The tool that the model calls. */
  readonly tool: string
}

interface ArgumentDelta extends ArgumentSignal {
  readonly type: 'input-delta'
  /** The next piece of the arguments' JSON. */
  readonly text: string
}

interface ArgumentEnd extends ArgumentSignal {
  readonly type: 'input-end'
}

interface FromCall extends SignalPlace {
  /** The call, by its id `turn.index`. */
  readonly call: string
  /** The tool that runs. */
  readonly tool: string
}

interface CallSignal extends FromCall {
  readonly type: 'tool-start' | 'tool-end'
}

interface CallProgress extends FromCall {
  readonly type: 'tool-delta'
  /** What the tool passed to `progress`, or yielded. */
  readonly data: unknown
}

/** Signals were dropped for this viewer; events never are. */
interface Gap extends SignalPlace {
  readonly type: 'gap'
}

/** What a viewer may see before it is a fact. */
export type Signal = ModelSignal | ModelDelta | ArgumentStart | ArgumentDelta | ArgumentEnd | CallSignal | CallProgress | Gap

/** Whether something that a run emitted is a signal. */
export function isSignal(event: { readonly type: string }): event is Signal {
  return !event.type.includes('.')
}
