/** What is known about a model. What is not known is left out: an unknown price is no price, never 0. */

/** A kind of content. */
export type Modality = 'text' | 'image' | 'audio' | 'video' | 'pdf'

/** Prices in integer micro-units for a million tokens: 3 dollars are 3,000,000. What is read from a cache or written to one costs as input unless it is said. */
export interface Rates {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** The price of a model, and where it was read. */
export interface ModelPrice extends Rates {
  /** For requests of more input tokens than this, all of the request costs that much. */
  readonly long?: Rates & { readonly above: number }
  /** The last day on which it holds, where the vendor named one; after it the price is not known. */
  readonly until?: string
  /** The day on which it was read. */
  readonly date: string
  readonly source: string
}

/** What is known about a model. */
export interface ModelInfo {
  /** Tokens of a request and its reply together. */
  readonly contextWindow?: number
  readonly outputLimit?: number
  readonly price?: ModelPrice
  readonly input?: readonly Modality[]
  readonly output?: readonly Modality[]
  /** Whether it calls tools by itself; one that does not is given a text protocol. */
  readonly tools?: boolean
  /** Whether it can be held to a JSON Schema. */
  readonly jsonSchema?: boolean
  /** A public page that says so. */
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
