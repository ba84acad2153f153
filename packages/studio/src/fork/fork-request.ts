/** What somebody would fork, as it is typed, and the request that it is. */
import type { Client } from '@loom-agent/server/client'
import type { ChainedCall } from '@loom-agent/telemetry'

/** The body of a fork and of its plan. */
export type ForkBody = NonNullable<Parameters<Client['planFork']>[1]>
/** What happens to effects after the cut. */
export type Effects = NonNullable<ForkBody['effects']>

/** The effects that can be chosen; the first one is safe and the usual one. */
export const effectChoices: readonly Effects[] = ['ask', 'recorded', 'stub', 'live']

/** A fork that is being prepared. */
export interface ForkDraft {
  readonly at: number
  readonly effects: Effects
  /** The call whose result is another one; `undefined` for none. */
  readonly call: string | undefined
  /** That result, as it was typed. */
  readonly result: string
  readonly isJson: boolean
}

/** A request, or why the draft is none. */
export type ReadFork = { readonly body: ForkBody } | { readonly problem: 'not-json' }

/** Reads a draft. A call whose result is edited is cut just before that result. */
export function readFork({ at, effects, call, result, isJson }: ForkDraft): ReadFork {
  if (call === undefined) return { body: { at, effects } }
  if (!isJson) return { body: { at, effects, edits: [{ kind: 'result', call, result }] } }
  try {
    return { body: { at, effects, edits: [{ kind: 'result', call, result: JSON.parse(result) as unknown }] } }
  } catch {
    return { problem: 'not-json' }
  }
}

/** The calls whose results can be edited: those that have ended at the cut. */
export const editable = (calls: readonly ChainedCall[]): readonly ChainedCall[] => calls.filter(({ endedAt }) => endedAt !== undefined)
