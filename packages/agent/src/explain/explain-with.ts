/** Explaining the request of a moment from the record of its thread. Loaded on use. */
import { type Frame, type Journal, LoomError } from '@loom-agent/kernel'
import type { ContextStrategy } from '../context/strategy.ts'
import { createScales } from '../context/tokens.ts'
import { recordOf } from '../look/record-of.ts'
import { counted } from '../platform/counted.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { nameMoment, notThereYet, parseMoment } from '../types/moment.ts'
import { checkThread } from '../types/thread-id.ts'
import { type Assembled, type Attempted, createContextFold, type Overwritten } from './context-fold.ts'
import type { ContextHint, ContextPart, ExplainWhat, Explanation, FoundPart, PartKind } from './explanation.ts'
import { hintsFor } from './hints.ts'
import { explanationInWords } from './in-words.ts'
import { keepMore } from './keep-more.ts'
import { partsOf } from './parts.ts'
import { createPromptTracker, type Tracked } from './prompt-tracker.ts'
import { checkWhat, findParts, wantedBy, wordsFor } from './search.ts'

/** Which request is asked about: that of a moment `thread@seq`, or that of a turn. */
export type ExplainAt =
  | string
  | {
      /** The id of the thread. */
      readonly thread: string
      /** The number of the turn. */
      readonly turn: number
    }

/** What an explanation is made with. */
interface ExplainOptions {
  readonly what: ExplainWhat | undefined
  /** The strategy that hints change. */
  readonly strategy?: ContextStrategy
}

/** Explains a request. With a strategy, hints come with one that keeps more. */
export async function explainWith(journal: Journal, at: ExplainAt, { what, strategy }: ExplainOptions): Promise<Explanation> {
  requireJournal('explain', journal)
  if (what !== undefined) checkWhat(what)
  const place = placeOf(at)
  checkThread(place.thread)
  const explanation = explained(await readThread(journal, place), what)
  if (!strategy) return explanation
  const hints = explanation.hints.map((hint): ContextHint => ({ ...hint, with: { context: keepMore(strategy, hint.change) } }))
  return { ...explanation, hints }
}

/** A thread, and a moment or a turn of it. */
interface Place {
  readonly thread: string
  readonly seq?: number
  readonly turn?: number
}

function placeOf(at: ExplainAt): Place {
  if (typeof at === 'string' || typeof at !== 'object' || at === null) return parseMoment(at)
  checkOptions('explain', at, { thread: expected.required(expected.name), turn: expected.required(expected.whole(1)) })
  return at
}

/** What was read of a thread. */
interface Read {
  readonly assembled: Assembled
  readonly attempt: Attempted | undefined
  readonly latest: Frame
  readonly overwritten: readonly Overwritten[]
}

async function readThread(journal: Journal, { thread, seq, turn }: Place): Promise<Read> {
  const fold = createContextFold(thread)
  const isMeant = ({ event, after }: Assembled): boolean => (seq === undefined ? after.turn === turn : event.seq <= seq)
  let assembled: Assembled | undefined
  const take = (next: Assembled | undefined): void => {
    if (next && isMeant(next)) assembled = next
  }
  for await (const event of recordOf(journal, thread)) take(fold.take(event))
  take(fold.end())
  const latest = fold.frame()
  if (seq !== undefined && latest.seq < seq) throw notThereYet({ thread, seq }, latest.seq)
  if (!assembled) throw noContext({ thread, ...(seq === undefined ? { turn } : { seq }) } as Place, latest)
  const { requests } = assembled
  const attempt = requests.findLast(({ event }) => event.seq <= (seq ?? Number.POSITIVE_INFINITY)) ?? requests[0]
  return { assembled, attempt, latest, overwritten: fold.overwritten }
}

function noContext({ thread, seq, turn }: Place, latest: Frame): LoomError {
  const at = seq === undefined ? `turn ${turn} of ${thread}` : nameMoment({ thread, seq })
  const message = `No context was assembled ${seq === undefined ? 'in' : 'at or before'} ${at}. The thread has ${counted(latest.turn, 'turn')} and ends at ${nameMoment(latest)}.`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { at } })
}

/** Places that an explanation lists, at most. */
const listedAtMost = 100

/** The explanation of one request. */
function explained(read: Read, what: ExplainWhat | undefined): Explanation {
  const { assembled, attempt, latest, overwritten } = read
  const tracked = createPromptTracker().update(assembled, attempt)
  const scale = createScales()(tracked.frame)
  const parts = partsOf({ assembled, attempt, tracked, latest, scale })
  const wanted = what === undefined ? undefined : wantedBy(what, latest)
  const found = wanted ? findParts(wanted, { parts, tracked, latest, overwritten }) : []
  const told = {
    ...headOf(read, tracked),
    tokens: tokensOf(parts),
    parts,
    ...(wanted && {
      asked: { what: wordsFor(wanted), isShown: isAllShown(found, 'text' in wanted), found: found.slice(-listedAtMost), count: found.length },
    }),
  }
  const hints = wanted ? hintsFor(wanted, found, { frame: tracked.frame, factor: scale.factor }) : []
  return { ...told, words: explanationInWords(told), hints }
}

/** Of a text one place is enough; of an id all that belongs to it is meant. */
const isAllShown = (found: readonly FoundPart[], isText: boolean): boolean =>
  isText ? found.some(({ isShown }) => isShown) : found.length > 0 && found.every(({ isShown }) => isShown)

function headOf(
  { assembled, attempt }: Read,
  { frame, model, isVerified, length }: Tracked,
): Pick<Explanation, 'thread' | 'turn' | 'at' | 'request' | 'rebase' | 'messages'> {
  const { thread, turn } = frame
  const { rebase, event } = assembled
  const request = attempt && { at: nameMoment(attempt.event), model, attempt: attempt.event.data.attempt, isVerified }
  const { seq = 0, reason = '', budget } = rebase ?? {}
  const decided = rebase && { at: nameMoment({ thread, seq }), turn: rebase.turn, reason, ...(budget && { budget }) }
  return { thread, turn, at: nameMoment(event), ...(request && { request }), ...(decided && { rebase: decided }), messages: length }
}

function tokensOf(parts: readonly ContextPart[]): Explanation['tokens'] {
  const by: { [K in PartKind]?: number } = {}
  let total = 0
  for (const { kind, tokens } of parts) {
    total += tokens
    if (tokens > 0) by[kind] = (by[kind] ?? 0) + tokens
  }
  return { total, by }
}
