/**
 * What prompt caches saved and lost: a fold over events.
 *
 * Nothing of it is stored: a rebase names its cause, and the usage of the replies around it shows what it cost.
 */
import { emptyFrame, evolve, type Frame, type LoomEvent, type Run, type Usage } from '@loom-agent/kernel'
import { sentTokens } from '../model/usage.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { Ports } from '../platform/ports.ts'
import { nameMoment } from '../types/moment.ts'

/** What a run sent, and how much of it a cache had. */
export interface RunCache {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run. */
  readonly run: string
  /** How many replies it had. */
  readonly replies: number
  /** All tokens that were sent. */
  readonly input: number
  /** Those that were read from a cache. */
  readonly cacheRead: number
  /** The part of the input that was read from a cache, from 0 to 1; undefined when nothing was sent. */
  readonly hitRate: number | undefined
}

/** Tokens that were cached, and had to be sent again. */
export interface CacheLoss {
  /** The moment: `thread@seq`. */
  readonly at: string
  /** The turn that paid for it. */
  readonly turn: number
  /** Tokens that were cached and were not read any more. */
  readonly tokens: number
  /** What they cost more than if they had been read, in integer micro-units; undefined without a known price. */
  readonly cost: number | undefined
}

/** A rebase, its cause, and what it cost in cache. One that no reply has followed has cost nothing yet. */
export interface RebaseCost extends CacheLoss {
  /** Why earlier bytes were changed, as `context.assembled` has it. */
  readonly cause: string
}

/** A cache that was not read although the context only grew. */
export interface BrokenCache extends CacheLoss {
  /** What changed: the model, the settings or the output schema, the messages by a hook, or nothing but time (more than five minutes); else the vendor did not keep it. */
  readonly by: 'model' | 'settings' | 'hook' | 'time' | 'vendor'
}

/** What prompt caches saved and lost. */
export interface CacheReport {
  /** The part of all input that was read from a cache, from 0 to 1; undefined when nothing was sent. */
  readonly hitRate: number | undefined
  /** The runs, in the order of their first replies. */
  readonly runs: readonly RunCache[]
  /** The rebases, in order. */
  readonly rebases: readonly RebaseCost[]
  /** Caches that were broken by something else, in order. */
  readonly broken: readonly BrokenCache[]
}

/** The options of `cacheReport`. */
export interface CacheReportOptions {
  /** The price of a call, as the agent has it in its ports; without it no cost is known. */
  readonly price?: Ports['price']
}

/** What the last request of a thread was like. */
interface Sent {
  readonly model: string
  readonly settings: string
  readonly time: number
  /** Tokens that the vendor had in its cache after it. */
  readonly cached: number
}

interface Track {
  frame: Frame
  sent: Sent | undefined
  model: string
  isHooked: boolean
  /** The rebase since the last reply. */
  rebase: { -readonly [K in keyof RebaseCost]: RebaseCost[K] } | undefined
}

type Totals = { -readonly [K in keyof Omit<RunCache, 'hitRate'>]: RunCache[K] }

/** Vendors keep what is not used for about five minutes. */
const keptFor = 300_000
/** Vendors cache whole blocks: so many tokens, and such a part, may be missing without a cause. */
const [spareTokens, sparePart] = [256, 0.1]

const rateOf = ({ input, cacheRead }: { readonly input: number; readonly cacheRead: number }): number | undefined =>
  input === 0 ? undefined : cacheRead / input

/**
 * What prompt caches saved and lost, by the events of one thread or of many, each from its first on.
 *
 * @example
 * const { hitRate, rebases, broken } = cacheReport(await Array.fromAsync(readEvents(journal, 't')), { price })
 */
export function cacheReport(events: Iterable<LoomEvent>, options: CacheReportOptions = {}): CacheReport {
  checkOptions('cacheReport', options, { price: expected.function })
  const tracks = new Map<string, Track>()
  const runs = new Map<string, Totals>()
  const rebases: RebaseCost[] = []
  const broken: BrokenCache[] = []
  for (const event of events) {
    const track = tracks.get(event.thread) ?? freshTrack(event.thread)
    tracks.set(event.thread, track)
    track.frame = evolve(track.frame, event)
    const { run } = track.frame
    if (!run) continue
    if (event.type === 'context.assembled' && event.data.rebase) {
      track.rebase = { at: nameMoment(event), turn: track.frame.turn, cause: event.data.rebase.reason, tokens: 0, cost: undefined }
      rebases.push(track.rebase)
    }
    if (event.type === 'model.requested') {
      track.model = event.data.model ?? run.request.model
      track.isHooked = run.patch !== undefined
    }
    if (event.type !== 'model.replied') continue
    add(runs, event, event.data.usage)
    const loss = { at: nameMoment(event), turn: track.frame.turn, ...lossOf(track, event.data.usage, options) }
    const by = track.rebase ? undefined : breakerOf(track, { settings: settingsOf(run), time: event.time, lost: loss.tokens })
    if (track.rebase) Object.assign(track.rebase, { tokens: loss.tokens, cost: loss.cost })
    else if (by) broken.push({ ...loss, by })
    track.rebase = undefined
    track.sent = { model: track.model, settings: settingsOf(run), time: event.time, cached: cachedBy(event.data.usage) }
  }
  const all = [...runs.values()]
  const total = { input: all.reduce((sum, { input }) => sum + input, 0), cacheRead: all.reduce((sum, { cacheRead }) => sum + cacheRead, 0) }
  return { hitRate: rateOf(total), runs: all.map((one) => ({ ...one, hitRate: rateOf(one) })), rebases, broken }
}

const freshTrack = (thread: string): Track => ({ frame: emptyFrame(thread), sent: undefined, model: '', isHooked: false, rebase: undefined })

const cachedBy = ({ cacheRead = 0, cacheWrite = 0 }: Usage): number => cacheRead + cacheWrite

/** What a vendor caches besides the messages: how it is asked. */
const settingsOf = ({ settings, request }: Run): string => JSON.stringify([settings, request.output])

function add(runs: Map<string, Totals>, { thread, run = '' }: LoomEvent, usage: Usage): void {
  const key = JSON.stringify([thread, run])
  const totals = runs.get(key) ?? { thread, run, replies: 0, input: 0, cacheRead: 0 }
  totals.replies += 1
  totals.input += sentTokens(usage)
  totals.cacheRead += usage.cacheRead ?? 0
  runs.set(key, totals)
}

/** The tokens that were cached before and not read now, and what they cost more. */
function lossOf({ sent, model }: Track, usage: Usage, { price }: CacheReportOptions): Pick<CacheLoss, 'tokens' | 'cost'> {
  const tokens = Math.max(0, (sent?.cached ?? 0) - (usage.cacheRead ?? 0))
  const paid = price?.(model, { input: tokens, output: 0, ...(usage.cacheWrite && { cacheWrite: tokens }) })
  const read = price?.(model, { input: tokens, output: 0, cacheRead: tokens })
  return { tokens, cost: paid === undefined || read === undefined ? undefined : Math.max(0, paid - read) }
}

/** What broke a cache; undefined where nothing did. */
function breakerOf(
  { sent, model, isHooked }: Track,
  now: Pick<Sent, 'settings' | 'time'> & { readonly lost: number },
): BrokenCache['by'] | undefined {
  if (!sent || now.lost <= spareTokens + sent.cached * sparePart) return undefined
  if (sent.model !== model) return 'model'
  if (sent.settings !== now.settings) return 'settings'
  if (isHooked) return 'hook'
  return now.time - sent.time > keptFor ? 'time' : 'vendor'
}
