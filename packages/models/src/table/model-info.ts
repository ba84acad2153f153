/** Facts about models. Unknown facts are left out: an unknown price is no price, never 0. */

/** A kind of content. */
export type Modality = 'text' | 'image' | 'audio' | 'video' | 'pdf'

/** Prices in integer micro-units for a million tokens: 3 dollars are 3,000,000. Cache reads and writes cost as input unless they have their own rate. */
export interface Rates {
  /** Input tokens. */
  readonly input: number
  /** Output tokens. */
  readonly output: number
  /** Input tokens that are read from a cache; default: as `input`. */
  readonly cacheRead?: number
  /** Input tokens that are written to a cache; default: as `input`. */
  readonly cacheWrite?: number
}

/** The price of a model, and where it was read. */
export interface ModelPrice extends Rates {
  /** The rates of the whole request when it has more than `above` input tokens. */
  readonly long?: Rates & { readonly above: number }
  /** The last day on which the price is valid, if the vendor named one; after it, asking for the price is an error that names the day. */
  readonly until?: string
  /** The day on which it was read. */
  readonly date: string
  /** The page on which it was read. */
  readonly source: string
}

/** Facts about a model. */
export interface ModelInfo {
  /** Tokens of a request and its reply together. */
  readonly contextWindow?: number
  /** The most tokens of a reply. */
  readonly outputLimit?: number
  /** The price of its tokens. */
  readonly price?: ModelPrice
  /** The kinds of content that it takes. */
  readonly input?: readonly Modality[]
  /** The kinds of content that it returns. */
  readonly output?: readonly Modality[]
  /** Whether it can call tools; a model that cannot gets a text protocol. */
  readonly tools?: boolean
  /** Whether it takes a JSON Schema for its answer. */
  readonly jsonSchema?: boolean
  /** A public page with these facts. */
  readonly source: string
}

/** Models by `provider/name`. */
export type ModelTable = Readonly<Record<string, ModelInfo>>

/** Looks a model up: by its own name, or by the one without a date. Providers may be given as their packages name them (`openai.responses`). */
export function infoOf(table: ModelTable, id: string): ModelInfo | undefined {
  const slash = id.indexOf('/')
  const provider = id.slice(0, slash).split('.')[0] ?? ''
  const name = id.slice(slash + 1)
  const undated = name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  for (const key of [id, `${provider}/${name}`, `${provider}/${undated}`]) if (Object.hasOwn(table, key)) return table[key]
  return undefined
}
