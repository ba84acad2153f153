/** A model whose every request is sent by the vendor's own provider package and judged by the vendor's rules; a script replies. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { validateWire, type Wire, type WireProblem } from '@loom-agent/harness/wire'
import { modelIds } from '../../packages/harness/test/wire/providers.ts'

/** A request that a vendor would have refused. */
export interface Refused {
  readonly wire: Wire
  readonly problem: WireProblem
  readonly body: unknown
}

/** Thrown instead of sending a request: nothing leaves the process. */
class Sent extends Error {
  override readonly name: string = 'Sent'
  readonly url: string
  readonly init: RequestInit
  constructor(url: string, init: RequestInit) {
    super('sent')
    this.url = url
    this.init = init
  }
}

const capture = (async (url: string | URL | Request, init: RequestInit = {}) => {
  throw new Sent(String(url), init)
}) as typeof fetch

const apiKey = 'key'
const baseURL = 'http://vendor.test/v1'

/** The provider's own model, whose requests are caught. */
const vendorModels: Readonly<Record<Wire, LanguageModelV4>> = {
  'openai-chat': createOpenAI({ baseURL, apiKey, fetch: capture }).chat(modelIds['openai-chat']),
  'openai-responses': createOpenAI({ baseURL, apiKey, fetch: capture }).responses(modelIds['openai-responses']),
  'openai-compatible': createOpenAICompatible({ name: 'deepseek', baseURL, apiKey, includeUsage: true, fetch: capture }).chatModel(
    modelIds['openai-compatible'],
  ),
  anthropic: createAnthropic({ baseURL, apiKey, fetch: capture })(modelIds.anthropic),
  google: createGoogle({ baseURL: 'http://vendor.test/v1beta', apiKey, fetch: capture })(modelIds.google),
}

/** What a vendor would complain about in a request, as its provider sends it. */
async function judged(wire: Wire, { abortSignal: _unused, ...request }: LanguageModelV4CallOptions): Promise<readonly WireProblem[]> {
  const error: unknown = await Promise.resolve(vendorModels[wire].doStream(request)).catch((thrown: unknown) => thrown)
  const sent = sentBy(error)
  if (!sent) throw new Error(`The provider of ${wire} sent nothing.`, { cause: error })
  const { pathname, search } = new URL(sent.url)
  const headers = Object.fromEntries(new Headers(sent.init.headers).entries())
  return validateWire(wire, { path: pathname + search, headers, body: JSON.parse(String(sent.init.body)) as unknown })
}

/** Providers wrap what their fetch throws. */
function sentBy(error: unknown): Sent | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Sent) return cause
  return undefined
}

/** The script under the provider and id of a vendor's model; what the vendor would have refused is added to `refused`. */
export function vendorModel(wire: Wire, script: LanguageModelV4, refused: Refused[]): LanguageModelV4 {
  const { provider, modelId } = vendorModels[wire]
  return {
    ...script,
    provider,
    modelId,
    async doStream(options) {
      for (const problem of await judged(wire, options)) refused.push({ wire, problem, body: options.prompt })
      return script.doStream(options)
    },
  }
}
