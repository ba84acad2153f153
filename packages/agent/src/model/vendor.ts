/** Whose model it is, as far as its id shows: what a vendor left in a thread is for that vendor alone. */
import type { JsonObject } from '@loom-agent/kernel'

/** A vendor, as one who renders messages for it needs to know it. */
export interface Vendor {
  /** The id of the model, as runs record it: `provider/name`. */
  readonly id: string
  /** Whether metadata may come from this vendor. What carries none may come from anybody. */
  mayOwn(meta: JsonObject | undefined): boolean
  /** Whether calls without reasoning are refused. */
  readonly wantsReasoning: boolean
}

/** The provider of a model that stands for several: each of them sees to what is its own. */
export const mixedProvider = 'mixed'

/** Parts of a provider's name, and the further names under which its metadata is kept. */
const furtherNames: { readonly [part: string]: readonly string[] } = {
  responses: ['openai'],
  azure: ['openai'],
  messages: ['anthropic'],
  generative: ['google'],
  vertex: ['google', 'googleVertex'],
  bedrock: ['amazonBedrock'],
}

/** Names that show which vendor it is. A provider of another name, such as a gateway, may stand before any vendor. */
const particular = /\.chat$|openai|azure|anthropic|google|vertex|bedrock|\.responses$|\.messages$/

/** The vendor behind a model's id. */
export function vendorOf(id: string): Vendor {
  const provider = id.slice(0, id.includes('/') ? id.indexOf('/') : undefined)
  const names = new Set(provider.split(/[.-]/).flatMap((part) => [part, ...(furtherNames[part] ?? [])]))
  return {
    id,
    mayOwn: (meta) => {
      const keys = Object.keys(meta ?? {})
      return !particular.test(provider) || keys.length === 0 || keys.some((key) => names.has(key))
    },
    wantsReasoning: /\/(deepseek-(reasoner|v4)|kimi-.*thinking)/.test(id),
  }
}
