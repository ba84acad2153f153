/**
 * A summary without a model: it takes sentences as they were said, those that matter most for what the user asked.
 *
 * EXTRACT-1. Every point was said: it is a sentence of an entry, a point of an earlier summary, or a count of calls. Nothing is made up.
 * EXTRACT-3. What a model made up as the name of a tool is a few words on one line, and the log of calls has the room of any section: no name begins
 *     another section, and no number of names fills the context.
 * EXTRACT-2. The same entries give the same summary.
 */
import type { CallResult, Entry } from '@loom-agent/kernel'
import { textOf } from '../types/text-of.ts'
import { relevance, sentencesOf, type Weights, weightsOf } from './relevance.ts'
import { emptySections, type Points, type Section, sectionNames } from './sections.ts'
import { outputText } from './trim.ts'

/** What a summary is made of besides the entries. */
export interface ExtractOptions {
  /** What the user asked for, in order; the last weighs most. */
  readonly asked: readonly string[]
  /** The points of the summary that this one takes the place of. */
  readonly former: Points | undefined
  /** Tokens of a text. */
  readonly tokens: (text: string) => number
  /** The most tokens of a section. */
  readonly perSection: number
  /** The result of a call that an earlier summary names. */
  readonly resultOf: (call: string) => CallResult | undefined
}

/** The points of a summary, and those of the former one that it leaves out. */
export interface Extracted {
  readonly points: Points
  readonly drops: readonly string[]
}

/** Something that was said, and how much it matters: it is compared with what is in the same section, and with nothing else. */
interface Said {
  readonly text: string
  readonly score: number
  /** The call whose result it is from. */
  readonly call?: string
}

interface Candidate extends Said {
  /** Points are shown in the order in which they were said. */
  readonly order: number
  readonly isFormer: boolean
}

type Candidates = Record<Section, Candidate[]>

/** How many sentences of one result may be points. */
const perResult = 4
/** How many calls are named whose results say more. */
const namedCalls = 10
const namedWords = 'More is in the results of the calls '

/** What people say that holds on: rules and decisions are points of their own, so that later small talk does not displace them. A question is none. */
const given = /\b(decide|decided|choose|chose|chosen|prefer|must|agreed|never|always|deadline|budget|remember|my name)\b|决定|选择|必须|记住|截止/iu

const cues: readonly (readonly [Section, RegExp])[] = [
  ['errors_and_solutions', /\b(error|failed|failure|exception|fixed|solved|workaround)\b|错误|失败|解决/iu],
  ['open_issues', /\?\s*$|\b(todo|unclear|unknown|unresolved|not yet|remaining|missing)\b|？\s*$|待|未解决|不清楚/iu],
  ['future_plans', /\b(next|then i|plan|going to|i will|i'll|later|afterwards)\b|接下来|计划|下一步|将/iu],
  ['key_decisions', /\b(decide|decided|choose|chose|chosen|instead|because|prefer|must|agreed|use)\b|决定|选择|因为|必须/iu],
]

/** The summary of some entries. */
export function extract(entries: readonly Entry[], options: ExtractOptions): Extracted {
  const { asked, former, tokens, perSection } = options
  const weights = weightsOf(asked)
  const found: Candidates = candidatesOf(former, weights)
  const counts = new Map<string, number>()
  for (const [order, entry] of entries.entries()) collect(found, entry, { order: order + 1, weights, counts })
  const points = emptySections<string>()
  const drops: string[] = []
  const missed: Candidate[] = []
  for (const section of sectionNames) {
    const { chosen, left } = choose(found[section], tokens, perSection)
    points[section].push(...chosen.map(({ text }) => text))
    drops.push(...left.flatMap(({ text, isFormer }) => (isFormer ? [text] : [])))
    if (section === 'execution_results') missed.push(...left)
  }
  points.tool_usage_log.push(...usageLines(counts, options), ...namedLine([...missed, ...namedBefore(options, weights)]))
  return { points, drops }
}

function candidatesOf(former: Points | undefined, weights: Weights): Candidates {
  const found: Candidates = emptySections()
  if (!former) return found
  // Lines of the log are counted on, not chosen.
  for (const section of sectionNames) {
    if (section === 'tool_usage_log') continue
    for (const text of former[section]) found[section].push(formerCandidate(text, weights))
  }
  return found
}

/** A point of the former summary: it matters by the same rule as what is new, and a little more than what is as good. */
function formerCandidate(text: string, weights: Weights): Candidate {
  const call = source.exec(text)?.[1]
  const score = relevance(text.replace(source, ''), weights) + 0.01
  return { text, score, order: 0, isFormer: true, ...(call !== undefined && { call }) }
}

interface Collecting {
  readonly order: number
  readonly weights: Weights
  /** How often each tool was called. */
  readonly counts: Map<string, number>
}

function collect(found: Candidates, entry: Entry, { order, weights, counts }: Collecting): void {
  const { message, origin } = entry
  const add = (section: Section, said: Said): void => {
    found[section].push({ ...said, order, isFormer: false })
  }
  if (message.role === 'tool') {
    for (const result of message.results) {
      const tool = namedAs(result.name)
      counts.set(tool, (counts.get(tool) ?? 0) + 1)
      collectResult(result, weights, add)
    }
    return
  }
  const sentences = sentencesOf(textOf(message.parts))
  if (origin === 'input' || origin === 'steered') {
    for (const sentence of sentences) {
      const isGiven = given.test(sentence) && !/[?？]$/u.test(sentence)
      add(isGiven ? 'key_decisions' : 'user_intent_evolution', { text: sentence, score: relevance(sentence, weights) })
    }
    return
  }
  for (const sentence of sentences) {
    const cued = message.role === 'assistant' ? cues.find(([, words]) => words.test(sentence))?.[0] : undefined
    add(cued ?? 'background_context', { text: sentence, score: relevance(sentence, weights) })
  }
}

function collectResult({ call, name, output }: CallResult, weights: Weights, add: (section: Section, said: Said) => void): void {
  const sentences = sentencesOf(outputText(output))
  const from = call === '' ? namedAs(name) : `${namedAs(name)}, call ${call}`
  if (output.type === 'error' || output.type === 'denied') {
    const [first] = sentences
    if (first !== undefined) add('errors_and_solutions', { text: `${first} (${from})`, score: relevance(first, weights) })
    return
  }
  const scored = sentences.map((sentence, index) => ({ sentence, index, score: relevance(sentence, weights) }))
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index)
  for (const { sentence, score } of best.slice(0, perResult)) add('execution_results', { text: `${sentence} (${from})`, score, call })
}

/** Where a point was said: the same sentence of several results is one point, the latest. */
const source = / \([^(),]+, call (\d+\.\d+)\)$/u

/** The candidates that matter most and fit, in the order in which they were said; and the others. */
function choose(candidates: readonly Candidate[], tokens: (text: string) => number, most: number): { chosen: Candidate[]; left: Candidate[] } {
  const seen = new Set<string>()
  const ranked = [...candidates].sort((a, b) => b.score - a.score || b.order - a.order)
  const chosen: Candidate[] = []
  const left: Candidate[] = []
  let used = 0
  for (const candidate of ranked) {
    const said = candidate.text.replace(source, '')
    if (seen.has(said)) continue
    seen.add(said)
    const size = tokens(`- ${candidate.text}\n`)
    if (used + size > most) left.push(candidate)
    else {
      used += size
      chosen.push(candidate)
    }
  }
  return { chosen: chosen.sort((a, b) => a.order - b.order), left }
}

const usageLine = /^(?<tool>.+) was called (?<count>\d+) times?\.$/u

/** The longest name of a tool in a summary. */
const longestName = 80
/** Stands in the log for the tools that were called least, where they are too many. */
const others = 'anything else'

/** The name of a tool as a summary has it: models call tools that do not exist, by any name (EXTRACT-3). */
const namedAs = (name: string): string => name.slice(0, longestName).toWellFormed().replace(/\s+/gu, ' ').trim()

/** How often each tool was called, with what the former summary had counted; as many of them as fit, those that were called most. */
function usageLines(counts: ReadonlyMap<string, number>, { former, tokens, perSection }: ExtractOptions): readonly string[] {
  const all = new Map<string, number>()
  for (const line of former?.tool_usage_log ?? []) {
    const { tool = '', count = '0' } = usageLine.exec(line)?.groups ?? {}
    if (tool !== '') all.set(tool, Number(count))
  }
  for (const [tool, count] of counts) all.set(tool, (all.get(tool) ?? 0) + count)
  const lineOf = ([tool, count]: readonly [string, number]): string => `${tool} was called ${count} ${count === 1 ? 'time' : 'times'}.`
  const kept = new Set<string>()
  let used = tokens(`- ${lineOf([others, counts.size])}\n`)
  for (const entry of [...all].sort(([, one], [, other]) => other - one)) {
    used += tokens(`- ${lineOf(entry)}\n`)
    if (used > perSection) break
    kept.add(entry[0])
  }
  if (kept.size === all.size) return [...all].map(lineOf)
  const shown = [...all].filter(([tool]) => kept.has(tool) && tool !== others)
  const left = [...all].reduce((sum, [tool, count]) => sum + (kept.has(tool) && tool !== others ? 0 : count), 0)
  return [...shown, [others, left] as const].map(lineOf)
}

/** Calls that the former summary names: what they have is looked at again, so that the best are named, however old they are. */
function namedBefore({ former, resultOf }: ExtractOptions, weights: Weights): readonly Missed[] {
  const line = former?.tool_usage_log.find((one) => one.startsWith(namedWords)) ?? ''
  return (line.slice(namedWords.length).match(/\d+\.\d+/gu) ?? []).map((call) => {
    const result = resultOf(call)
    const sentences = result ? sentencesOf(outputText(result.output)) : []
    return { call, score: sentences.reduce((best, sentence) => Math.max(best, relevance(sentence, weights)), 0) }
  })
}

type Missed = Pick<Candidate, 'call' | 'score'>

/** Names the calls whose results have something about the question that did not fit, those first that have most. */
function namedLine(missed: readonly Missed[]): readonly string[] {
  const ranked = [...missed].sort((a, b) => b.score - a.score)
  const calls = [...new Set(ranked.flatMap(({ call }) => call ?? []))].slice(0, namedCalls)
  return calls.length > 0 ? [`${namedWords}${calls.join(', ')}.`] : []
}
