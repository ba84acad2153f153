/**
 * The report of a replay, made turn by turn.
 *
 * REPORT-1. Its size has a bound that does not depend on the length of the thread: turns, messages and characters are listed up to a limit, and what is
 *     left out is counted. The sums are over all turns.
 */
import type { Json } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import type { Unshared } from './prompt-difference.ts'
import type { Divergence, ReplayReport, ReplayTotals, ReportLimits, ToolDifference, TurnReplay } from './replay-types.ts'

/** What the limits of a report must be. */
export const reportShape: Shape & Record<keyof ReportLimits, Expected> = {
  turns: expected.whole(1),
  messages: expected.whole(0),
  characters: expected.whole(1),
  total: expected.whole(0),
}

const defaults = { turns: 1000, messages: 10, characters: 400, total: 200_000 } as const
/** Differences of tools that are listed, at most, and places in the schema of one tool. */
const mostTools = 50
const mostPlaces = 20
/** How deep, and how many items of a list, a value is shown. */
const shownDepth = 8
const shownItems = 50
/** Characters of an excerpt before the first one that differs. */
const lead = 80

/** A turn that was compared, with what differs. */
export interface TurnFound extends Omit<TurnReplay, 'cost' | 'saved' | 'left' | 'added' | 'omitted'> {
  readonly left: Unshared
  readonly added: Unshared
}

/** Collects the turns of a replay. */
export interface ReportBuilder {
  /** Messages of a turn that are listed, at most. */
  readonly mostMessages: number
  /** Adds the next turn. */
  add(turn: TurnFound, tools: readonly ToolDifference[]): void
  /** What the recorded reply of the last turn cost, and what the replayed one would have saved. */
  price(cost: number | undefined, saved: number | undefined): void
  /** Counts summaries: made in the record, or made anew. */
  summarized(made: Partial<ReplayTotals['summaries']>): void
  /** The first difference: the two messages as JSON, and as they read. */
  divergence(where: Pick<Divergence, 'turn' | 'at' | 'tools'>, first: FirstDifference | undefined): Divergence
  /** The report so far. */
  report(of: Pick<ReplayReport, 'thread' | 'mode' | 'divergence' | 'kept' | 'lost' | 'essentials'>): ReplayReport
}

/** The first message that differs. */
export interface FirstDifference {
  readonly message: number
  readonly recorded: { readonly value: Json; readonly text: string } | undefined
  readonly replayed: { readonly value: Json; readonly text: string } | undefined
}

type Row = { -readonly [K in keyof TurnReplay]: TurnReplay[K] }

type Limits = Required<ReportLimits>

/** A report without turns. */
export function createReport(given: ReportLimits = {}): ReportBuilder {
  const limits = { ...defaults, ...given }
  const rows = createRows(limits)
  const tools = new Map<string, ToolDifference>()
  const tokens = { recorded: 0, replayed: 0 }
  let turns = 0
  let differing = 0
  let cost: number | undefined = 0
  let saved: number | undefined = 0
  const summaries = { recorded: 0, replayed: 0, estimated: 0 }
  let latestTools: readonly ToolDifference[] | undefined
  return {
    mostMessages: limits.messages,
    add(turn, differences) {
      turns += 1
      differing += turn.differs ? 1 : 0
      tokens.recorded += turn.recorded.tokens
      tokens.replayed += turn.replayed.tokens
      if (differences !== latestTools) for (const difference of differences) tools.set(JSON.stringify(difference), difference)
      latestTools = differences
      rows.add(turn)
    },
    price(paid, less) {
      rows.price(paid, less)
      cost = cost === undefined || paid === undefined ? undefined : cost + paid
      saved = saved === undefined || less === undefined ? undefined : saved + less
    },
    summarized({ recorded = 0, replayed = 0, estimated = 0 }) {
      summaries.recorded += recorded
      summaries.replayed += replayed
      summaries.estimated += estimated
    },
    divergence: (where, first) => ({ ...where, ...shownFirst(first, limits.characters) }),
    report(of) {
      const listed = rows.listed()
      const messages = listed.reduce((sum, { omitted }) => sum + (omitted ? omitted.left + omitted.added : 0), 0)
      return {
        ...of,
        turns: listed,
        tools: [...tools.values()].slice(0, mostTools).map((difference) => cutTool(difference, limits.characters)),
        totals: {
          turns,
          differing,
          tokens: { ...tokens },
          cost,
          saved: { tokens: tokens.recorded - tokens.replayed, cost: saved },
          summaries: { ...summaries },
        },
        omitted: { turns: turns - listed.length, messages, tools: Math.max(0, tools.size - mostTools) },
      }
    },
  }
}

/** The turns that may be listed. */
interface Rows {
  add(turn: TurnFound): void
  price(cost: number | undefined, saved: number | undefined): void
  /** The turns around the first that differs; of a replay in which none does, the last ones. */
  listed(): readonly TurnReplay[]
}

function createRows(limits: Limits): Rows {
  const before: Row[] = []
  const after: Row[] = []
  let spent = 0
  let last: Row | undefined

  /** The texts as they are listed, as far as there is room. */
  const shown = ({ texts }: Unshared): readonly string[] => {
    const cuts = texts.map((text) => cutText(text, limits.characters))
    return cuts.filter(({ length }) => {
      if (spent + length > limits.total) return false
      spent += length
      return true
    })
  }
  const rowOf = ({ left: was, added: would, ...turn }: TurnFound): Row => {
    const left = shown(was)
    const added = shown(would)
    const omitted = { left: was.count - left.length, added: would.count - added.length }
    const saved = { tokens: turn.recorded.tokens - turn.replayed.tokens, cost: undefined }
    return { ...turn, cost: undefined, saved, left, added, ...(omitted.left + omitted.added > 0 && { omitted }) }
  }

  return {
    add(turn) {
      last = after.length < limits.turns ? rowOf(turn) : undefined
      if (!last) return
      if (turn.differs || after.length > 0) after.push(last)
      else before.push(last)
      // They are dropped many at a time, so that each is moved once.
      if (before.length >= 2 * limits.turns) before.splice(0, limits.turns)
    },
    price(cost, saved) {
      if (!last) return
      last.cost = cost
      last.saved = { ...last.saved, cost: saved }
    },
    listed() {
      const earlier = Math.min(before.length, Math.max(limits.turns - after.length, Math.floor(limits.turns / 2)))
      return [...before.slice(before.length - earlier), ...after.slice(0, limits.turns - earlier)]
    },
  }
}

function shownFirst(first: FirstDifference | undefined, characters: number): Pick<Divergence, 'message' | 'recorded' | 'replayed' | 'excerpt'> {
  if (!first) return { message: undefined, recorded: undefined, replayed: undefined }
  const { message, recorded, replayed } = first
  const was = recorded?.text ?? ''
  const would = replayed?.text ?? ''
  let same = 0
  while (same < was.length && was[same] === would[same]) same += 1
  const around = (text: string): string => {
    const start = Math.max(0, same - lead)
    return `${start > 0 ? '…' : ''}${cutText(text.slice(start), lead + characters)}`
  }
  return {
    message,
    recorded: recorded && cutJson(recorded.value, characters),
    replayed: replayed && cutJson(replayed.value, characters),
    excerpt: { recorded: around(was), replayed: around(would) },
  }
}

function cutTool({ schema, description, ...tool }: ToolDifference, characters: number): ToolDifference {
  const cut = (value: unknown): unknown => (value === undefined ? undefined : cutJson(value as Json, characters))
  return {
    ...tool,
    name: cutText(tool.name, characters),
    ...(description && {
      description: { recorded: cutText(description.recorded, characters), replayed: cutText(description.replayed, characters) },
    }),
    ...(schema && { schema: schema.slice(0, mostPlaces).map(({ path, before, after }) => ({ path, before: cut(before), after: cut(after) })) }),
  }
}

/** A text of at most so many characters, and how many more it has. */
export function cutText(text: string, characters: number): string {
  const more = text.length - characters
  return more <= 0 ? text : `${text.slice(0, characters).toWellFormed()}… (${more} more characters)`
}

/** A value with its long texts and lists cut. */
function cutJson(value: Json, characters: number, depth = 0): Json {
  if (typeof value === 'string') return cutText(value, characters)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= shownDepth) return '…'
  const more = (count: number): readonly string[] => (count > shownItems ? [`… (${count - shownItems} more)`] : [])
  if (Array.isArray(value)) {
    return [...value.slice(0, shownItems).map((item: Json) => cutJson(item, characters, depth + 1)), ...more(value.length)]
  }
  const fields = Object.entries(value).flatMap(([key, field]) => (field === undefined ? [] : [[key, field as Json] as const]))
  const shown = fields.slice(0, shownItems).map(([key, field]) => [key, cutJson(field, characters, depth + 1)] as const)
  return Object.fromEntries([...shown, ...more(fields.length).map((note) => ['…', note] as const)])
}
