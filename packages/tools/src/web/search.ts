/** What a search of the web found, checked and bounded. */
import { callUser } from '@loom-agent/agent/kit'
import { failed } from '../net/refusal.ts'
import { canonicalUrl } from '../net/target.ts'
import { decodeReferences } from './entities.ts'
import { untrusted } from './untrusted.ts'

/** One result of a search. */
export interface SearchResult {
  /** The title of the page. */
  readonly title: string
  /** Its address; results without a valid one are left out. */
  readonly url: string
  /** An excerpt or a summary. */
  readonly snippet?: string
}

/** Searches the web: a service, an index, anything that finds pages. */
export type SearchWeb = (
  query: string,
  options: { readonly signal: AbortSignal; readonly limit: number },
) => readonly SearchResult[] | Promise<readonly SearchResult[]>

/** The arguments of `web_search`. */
export interface SearchInput {
  readonly query: string
  readonly limit?: number
}

const longestTitle = 200
const longestSnippet = 400
/** Results that are looked at, however many a search returns. */
const mostLookedAt = 200

/** The results of a search as the model reads them. */
export async function searchText(search: SearchWeb, { query, limit = 10 }: SearchInput, signal: AbortSignal): Promise<string> {
  const words = query.trim()
  if (words === '') throw failed(query, 'The query is blank. Say what to look for.')
  const found: unknown = await callUser(() => search(words, { signal, limit }))
  if (!Array.isArray(found)) throw failed(query, 'The search of this program returned no list of results. Tell the user.')
  const results = normalised(found.slice(0, mostLookedAt), limit)
  if (results.length === 0) return `No results for ${JSON.stringify(words)}. Try other words.`
  const shown = results.map(({ title, url, snippet }, index) =>
    [`${index + 1}. ${title}`, `   ${url}`, ...(snippet ? [`   ${snippet}`] : [])].join('\n'),
  )
  return untrusted(`results for ${JSON.stringify(words)}`, shown)
}

/** Results with a valid address, each address once, with bounded texts of one line. */
function normalised(found: readonly unknown[], limit: number): readonly SearchResult[] {
  const results = new Map<string, SearchResult>()
  for (const one of found) {
    if (results.size >= limit) break
    const { title, url, snippet } = (typeof one === 'object' && one !== null ? one : {}) as Partial<Record<keyof SearchResult, unknown>>
    const address = typeof url === 'string' ? addressOf(url) : undefined
    if (address === undefined || results.has(address)) continue
    results.set(address, { title: oneLine(title, longestTitle) || address, url: address, snippet: oneLine(snippet, longestSnippet) })
  }
  return [...results.values()]
}

function addressOf(url: string): string | undefined {
  try {
    return canonicalUrl(url).url
  } catch {
    return undefined
  }
}

function oneLine(text: unknown, most: number): string {
  if (typeof text !== 'string') return ''
  const plain = decodeReferences(text.slice(0, 4 * most).replace(/<\/?[a-z][^<>]{0,200}>/gi, ''))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return plain.length > most ? `${plain.slice(0, most).toWellFormed()}...` : plain
}
