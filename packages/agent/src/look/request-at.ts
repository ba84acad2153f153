/** What the model was sent at a moment. */
import type { Journal } from '@loom-agent/kernel'
import type { RequestAt, RequestAtOptions } from './render-request.ts'

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
