/** A model that a vendor would refuse or take: every request goes through the vendor's own provider package and is judged, then a script answers. */
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

/** What is thrown when a request is on its way: nothing leaves the process. */
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
const faces: Readonly<Record<Wire, LanguageModelV4>> = {
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
  const error: unknown = await Promise.resolve(faces[wire].doStream(request)).catch((thrown: unknown) => thrown)
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

/** The script behind the face of a vendor's model; what the vendor would have refused is written down. */
export function vendorModel(wire: Wire, script: LanguageModelV4, refused: Refused[]): LanguageModelV4 {
  const { provider, modelId } = faces[wire]
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
