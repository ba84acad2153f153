/** What the model was sent at a moment. */
import type { Journal } from '@loom-agent/kernel'
import type { SystemLayer } from '../context/describe-layers.ts'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import type { Ports } from '../platform/ports.ts'

/** A request that a model was sent. */
export interface RequestAt {
  /** The moment of its `model.requested` event: `thread@seq`. */
  readonly at: string
  /** The id of the model: `provider/name`. */
  readonly model: string
  /** Which attempt of its turn it was, from 1. */
  readonly attempt: number
  /** What the model was called with: `prompt`, `tools`, settings. */
  readonly request: LanguageModelV4CallOptions
  /** The layers of the system text, in order, before hooks change the request. */
  readonly layers: readonly SystemLayer[]
  /** Whether the messages, as they are before hooks change them, have the digest that was recorded with the request. */
  readonly isVerified: boolean
}

/** What the record does not have. */
export interface RequestAtOptions {
  /** The price of a call, as the agent had it in its ports. It matters where a limit of money has bounded the length of the answer. */
  readonly price?: Ports['price'] | undefined
}

/**
 * What the model was sent at `thread@seq`: by the request of that moment, or else by the last one before it. Needs the journal alone. The schema of an
 * answer is the one with which the run was started.
 *
 * @example
 * const { request } = await requestAt(journal, 'user-123@42')
 * console.log(request.prompt, request.tools, request.temperature)
 */
export async function requestAt(journal: Journal, at: string, options: RequestAtOptions = {}): Promise<RequestAt> {
  const { renderRequest } = await import('./render-request.ts')
  return renderRequest(journal, at, options)
}
