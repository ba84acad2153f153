/** The contract of prompt caches: between two rebases every request begins with the one before, so that what a vendor has cached stays valid. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { LoomEvent } from '@loom-agent/kernel'

/** What of a request a vendor caches. */
type Cached = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

/**
 * Throws when a request does not begin with the one before it: system text, tools and messages. The message names the first place that differs, and the cause of
 * a rebase that would explain it. Marks for caches are not compared, because vendors do not either.
 *
 * With the events of the thread, requests may differ after a rebase; they must be the requests of that thread, from the first on.
 *
 * @example
 * assertCachePrefix(model.requests) // nothing was rebased
 * assertCachePrefix(model.requests, await Array.fromAsync(readEvents(journal, 't')))
 */
export function assertCachePrefix(requests: readonly Cached[], events?: Iterable<LoomEvent>): void {
  const rebased = events && rebasedRequests(events)
  if (rebased && rebased.length < requests.length)
    throw new Error(`There are ${requests.length} requests, and the events have ${rebased.length}. Give the requests and the events of one thread.`)
  for (let index = 1; index < requests.length; index += 1) {
    const found = firstDifference(requests[index - 1] as Cached, requests[index] as Cached)
    const cause = rebased?.[index]
    if (found && cause === undefined) throw new Error(`Request ${index + 1} does not begin with request ${index}: ${found.words} ${found.advice}`)
  }
}

/** For each request, the causes of the rebases since the one before; undefined when there was none. */
function rebasedRequests(events: Iterable<LoomEvent>): readonly (string | undefined)[] {
  const found: (string | undefined)[] = []
  let cause: string | undefined
  for (const { type, data } of events) {
    if (type === 'context.assembled' && data.rebase) cause = data.rebase.reason
    if (type !== 'model.requested') continue
    found.push(cause)
    cause = undefined
  }
  return found
}

interface Difference {
  readonly words: string
  readonly advice: string
}

const explainedBy = (causes: string): string => `A rebase would explain it (cause ${causes}), and there was none in between.`

/** The first place where a request does not begin with the one before; undefined when it does. */
function firstDifference(before: Cached, after: Cached): Difference | undefined {
  const [tools, former] = [textOf(after.tools ?? []), textOf(before.tools ?? [])]
  if (tools !== former) return { words: `the tools differ, ${toolWords(before, after)}.`, advice: explainedBy('tools') }
  for (const [place, message] of before.prompt.entries()) {
    const other = after.prompt[place]
    const [was, is] = [textOf(message), other && textOf(other)]
    if (was === is) continue
    if (message.role === 'system') return { words: `the system text differs. ${placeWords(was, is)}`, advice: explainedBy('instructions') }
    const what = other ? 'differs' : 'is not there'
    return { words: `message ${place} (${message.role}) ${what}. ${placeWords(was, is)}`, advice: explainedBy('compress, overflow, hook or fork') }
  }
  return undefined
}

function toolWords({ tools: before = [] }: Cached, { tools: after = [] }: Cached): string {
  const [were, are] = [before.map(({ name }) => name), after.map(({ name }) => name)]
  const [gone, added] = [were.filter((name) => !are.includes(name)), are.filter((name) => !were.includes(name))]
  if (gone.length + added.length > 0) return [...gone.map((name) => `${name} is gone`), ...added.map((name) => `${name} is new`)].join(', ')
  if (were.join() !== are.join()) return `their order was ${were.join(', ')} and is ${are.join(', ')}`
  return `${were.filter((_, index) => textOf(before[index]) !== textOf(after[index])).join(', ')} changed`
}

/** What stands around the first character that differs; of what is gone, its beginning. */
function placeWords(was: string, is: string | undefined): string {
  if (is === undefined) return `It was ${JSON.stringify(was.slice(0, 60))}...`
  let place = 0
  while (place < was.length && was[place] === is[place]) place += 1
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, place - 20), place + 40))
  return `It was ...${around(was)}..., and is ...${around(is)}...`
}

/** Marks of caches, by the names that vendors have for them. */
const marks: ReadonlySet<string> = new Set(['cacheControl', 'cache_control', 'cachePoint'])

/** A value as text, without marks and without what is empty without them. */
const textOf = (value: unknown): string => JSON.stringify(unmarked(value))

function unmarked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof URL) return value
  if (Array.isArray(value)) return value.map(unmarked)
  if (value instanceof Uint8Array) return [...value]
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key !== 'providerOptions') return [[key, unmarked(inner)]]
      const options = Object.entries((inner ?? {}) as object).map(([vendor, given]) => [vendor, withoutMarks(given as object)] as const)
      const filled = options.filter(([, given]) => Object.keys(given).length > 0)
      return filled.length === 0 ? [] : [[key, Object.fromEntries(filled)]]
    }),
  )
}

const withoutMarks = (given: object): object => Object.fromEntries(Object.entries(given).filter(([name]) => !marks.has(name)))
