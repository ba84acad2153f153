/**
 * Searching for tools: with many tools the model is shown few, and finds the others when it needs them.
 *
 * SEARCH-1. What a search finds follows from the tools and the query alone, and is bounded.
 * SEARCH-2. A tool that was found is added at the end of the list by one rebase, and stays there. Where the provider has deferred tools, the list never
 *     changes: it has all tools, and the result of a search refers to what was found.
 */
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'
import { checkOptions, expected, isTool, searchedTool, toolDefinitionOf, toolSearchName } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'

/** When tools are searched for. */
export interface ToolSearchOptions {
  /** Up to so many tools are all shown, and there is no search; default 30. */
  readonly above?: number
  /** The names of tools that are shown from the start; default: none. */
  readonly shown?: readonly string[]
  /** Tools that one search finds at most, 1 to 20; default 5. */
  readonly most?: number
}

/** What a search tells about a tool. */
interface FoundTool {
  readonly name: string
  readonly description: string
}

const longestQuery = 200
const longestDescription = 200

/**
 * The tools, of which the model is shown `shown` and the tool `tool_search` where there are more than `above`. It finds the others by words of their
 * names and descriptions, and can call them from its next turn on.
 *
 * @example
 * agent({ model, tools: toolSearch(manyTools, { shown: ['read_file'] }) })
 */
export function toolSearch<Deps = unknown>(
  tools: Iterable<Tool<Deps>> | Readonly<Record<string, Tool<Deps>>>,
  options: ToolSearchOptions = {},
): readonly Tool<Deps>[] {
  checkOptions('toolSearch()', options, {
    above: expected.whole(0),
    shown: expected.list(expected.name, 'a list of names'),
    most: { words: 'a whole number from 1 to 20', fits: (value) => expected.whole(1).fits(value) && (value as number) <= 20 },
  })
  const { above = 30, shown = [], most = 5 } = options
  const all = namedTools(tools)
  checkShown(shown, all)
  if (all.length <= above) return all
  const hidden = all.filter(({ name }) => !shown.includes(name))
  const searched = hidden.map((one) => searchedTool(one))
  const catalogue = hidden.map((one) => ({ name: one.name, description: toolDefinitionOf(one).description ?? '' }))
  return [...all.filter(({ name }) => shown.includes(name)), searchTool(catalogue, most) as Tool<Deps>, ...searched]
}

function namedTools<Deps>(tools: Iterable<Tool<Deps>> | Readonly<Record<string, Tool<Deps>>>): readonly Tool<Deps>[] {
  const entries = Symbol.iterator in tools ? [...tools].map((one) => [one?.name, one] as const) : Object.entries(tools)
  return entries.map(([name, one]) => {
    if (!isTool(one))
      throw new LoomError('LOOM_TOOL_INVALID', `toolSearch(): ${String(name)} is not a tool. Give tool(...).`, { context: { name: String(name) } })
    return { ...one, name } as Tool<Deps>
  })
}

function checkShown(shown: readonly string[], all: readonly { readonly name: string }[]): void {
  const names = all.map(({ name }) => name)
  const oneOf = expected.oneOf(...names)
  for (const name of shown) checkOptions('toolSearch()', { shown: name }, { shown: oneOf })
}

function searchTool(catalogue: readonly FoundTool[], most: number): Tool {
  return tool({
    name: toolSearchName,
    description: `Finds tools by words of their names and descriptions; those that are found can be called from the next turn on. ${catalogue.length} tools are not listed.`,
    input: jsonSchema<{ query: string }>({
      type: 'object',
      properties: { query: { type: 'string', minLength: 1, maxLength: longestQuery, description: 'What the tool is to do, or its name.' } },
      required: ['query'],
      additionalProperties: false,
    }),
    effect: 'pure',
    run: ({ query }) => {
      const found = findTools(catalogue, query).slice(0, most)
      if (found.length === 0) return { tools: [], note: 'No tool matches. Use other words, or do without.' }
      return { tools: found.map(({ name, description }) => ({ name, description: description.slice(0, longestDescription).toWellFormed() })) }
    },
  })
}

/** The words of a text: `createInvoice` and `create_invoice` have the same. */
function wordsOf(text: string): readonly string[] {
  const apart = text.normalize('NFKC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The tools that a query may mean: the one that it names, or the best first; those that match as well in the order in which they were given. */
export function findTools<T extends FoundTool>(catalogue: readonly T[], query: string): readonly T[] {
  const named = catalogue.find(({ name }) => name === query.trim())
  if (named) return [named]
  const wanted = [...new Set(wordsOf(query))]
  const scored = catalogue.map((one) => ({ one, score: scoreOf(one, wanted) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one)
}

/** A word counts most in a name, and more when it is whole. */
function scoreOf({ name, description }: FoundTool, wanted: readonly string[]): number {
  const [named, told] = [wordsOf(name), wordsOf(description)]
  const worth = (word: string): number =>
    named.includes(word)
      ? 8
      : named.some((one) => one.startsWith(word))
        ? 4
        : told.includes(word)
          ? 2
          : told.some((one) => one.startsWith(word))
            ? 1
            : 0
  return wanted.reduce((sum, word) => sum + worth(word), 0)
}
