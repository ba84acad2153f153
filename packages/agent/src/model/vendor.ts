/** The vendor of a model, as far as the model's id shows it: metadata of a vendor is sent to that vendor only. */
import type { JsonObject } from '@loom-agent/kernel'

/** A vendor, as far as rendering messages for it depends on it. */
export interface Vendor {
  /** The id of the model, as runs record it: `provider/name`. */
  readonly id: string
  /** Whether metadata may come from this vendor. What carries none may come from any vendor. */
  mayOwn(meta: JsonObject | undefined): boolean
  /** Whether calls without reasoning are refused. */
  readonly wantsReasoning: boolean
}

/** The provider of a model that stands for several: each of them takes what is its own. */
export const mixedProvider = 'mixed'
const between = ' | '

/** The name of a model that stands for several, which have these ids. */
export const mixedName = (ids: readonly string[]): string => ids.join(between)

/** The ids of the models behind an id: several where it is that of a model that stands for models of several providers. */
export function idsBehind(id: string): readonly string[] {
  const prefix = `${mixedProvider}/`
  if (!id.startsWith(prefix)) return [id]
  return id.split(between).map((one) => (one.startsWith(prefix) ? one.slice(one.lastIndexOf(prefix) + prefix.length) : one))
}

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
