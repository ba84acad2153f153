/** Signals: live and provisional. They name the attempt they belong to; a newer attempt retracts them. */

/** Where a signal belongs. */
export interface SignalPlace {
  readonly thread: string
  readonly run: string
  readonly turn: number
}

interface FromModel extends SignalPlace {
  readonly attempt: number
}

interface FromCall extends SignalPlace {
  readonly call: string
  readonly tool: string
}

/** What a viewer may see before it is a fact. */
export type Signal =
  | (FromModel & { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' })
  | (FromModel & { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string })
  | (FromModel & { readonly type: 'input-start'; readonly id: string; readonly tool: string })
  | (FromModel & { readonly type: 'input-delta'; readonly id: string; readonly text: string })
  | (FromModel & { readonly type: 'input-end'; readonly id: string })
  | (FromCall & { readonly type: 'tool-start' | 'tool-end' })
  | (FromCall & { readonly type: 'tool-delta'; readonly data: unknown })
  /** Signals were dropped for this viewer; events never are. */
  | (SignalPlace & { readonly type: 'gap' })

/** Whether something that a run emitted is a signal. */
export function isSignal(event: { readonly type: string }): event is Signal {
  return !event.type.includes('.')
}
