/** The verdict on a life with deaths: is it what an undisturbed life would have been, as far as the classes of effects promise? */
import type { LoomEvent } from '@loom-agent/kernel'
import { checkHistory } from '../history/check-history.ts'
import { type EffectPlace, type Execution, placeText } from './effect-book.ts'
import type { Finding } from './finding.ts'
import type { Story } from './life.ts'
import { partingOf, type Transcript } from './transcript.ts'

/** `same` as undisturbed; the same, but people were `asked` about calls in doubt; or something is `wrong`. */
export type VerdictKind = 'same' | 'asked' | 'wrong'

/** A verdict and its reasons. */
export interface Verdict {
  readonly kind: VerdictKind
  readonly found: readonly Finding[]
}

/** Judges a life by the undisturbed one. */
export function judgeLife(calm: Story, story: Story): Verdict {
  const untold = untoldOf(story)
  const found = [
    ...story.found,
    ...[...story.threads].flatMap(([thread, events]) => historyFindings(thread, events)),
    ...transcriptFindings(calm, story, untold),
    ...questionFindings(calm, story),
    ...endFindings(story),
    ...effectFindings(story),
    ...outsideFindings(calm, story, untold),
  ]
  const isAsked = story.transcripts.some(({ doubts }) => doubts.size > 0)
  return { kind: found.length > 0 ? 'wrong' : isAsked ? 'asked' : 'same', found }
}

/** What holds for every life, undisturbed or not. */
export function judgeAlone(story: Story): readonly Finding[] {
  const histories = [...story.threads].flatMap(([thread, events]) => historyFindings(thread, events))
  return [...story.found, ...histories, ...effectFindings(story), ...endFindings(story)]
}

/** Places whose fate nobody could tell, or that depends on when a stop came. */
function untoldOf({ transcripts, told }: Story): ReadonlySet<string> {
  return new Set(transcripts.flatMap(({ doubts, overtaken }) => [...[...doubts].filter((place) => !told.has(place)), ...overtaken]))
}

/** Where a journal breaks a rule. */
export function historyFindings(thread: string, events: readonly LoomEvent[]): readonly Finding[] {
  return checkHistory(events).map(({ rule, seq, message }) => ({ kind: 'history', at: `${thread}@${seq}`, message: `${rule}: ${message}` }))
}

function transcriptFindings(calm: Story, story: Story, untold: ReadonlySet<string>): readonly Finding[] {
  const known = new Map(story.transcripts.map((transcript) => [transcript.thread, transcript]))
  const found = calm.transcripts.flatMap((expected): readonly Finding[] => {
    const actual = known.get(expected.thread)
    if (!actual) return untold.size > 0 ? [] : [{ kind: 'transcript', message: `the thread ${expected.thread} is missing` }]
    const parting = partingOf(expected, actual, callsIn(expected, untold))
    // What a call became that nobody could tell about, its parent and everything after it may be told differently.
    if (!parting || parting.excused || (untold.size > 0 && isBelow(actual, untold))) return []
    const kind = parting.message.startsWith('it ended') ? 'ending' : 'transcript'
    return [{ kind, at: `${expected.thread}@${story.threads.get(expected.thread)?.length ?? 0}`, message: parting.message }]
  })
  const extra = [...known.keys()].filter((thread) => !calm.threads.has(thread) && untold.size === 0)
  return [...found, ...extra.map((thread): Finding => ({ kind: 'transcript', at: thread, message: 'the undisturbed life had no such thread' }))]
}

/** The calls of a thread that something untold belongs to. */
function callsIn({ thread }: Transcript, untold: ReadonlySet<string>): ReadonlySet<string> {
  const own = [...untold].filter((place) => place.startsWith(`${thread} `))
  return new Set(own.map((place) => place.slice(thread.length + 1).split('/')[0] ?? ''))
}

/** Whether something untold happened on another thread: a child's fate is part of its parent's. */
const isBelow = ({ thread }: Transcript, untold: ReadonlySet<string>): boolean => [...untold].some((place) => !place.startsWith(`${thread} `))

/** Threads that nobody will ever drive again, and that have no end. */
function endFindings({ transcripts }: Story): readonly Finding[] {
  const endless = transcripts.filter(({ endings }) => endings.some((ending) => ending.endsWith('has no end')))
  return endless.map(({ thread }) => ({ kind: 'ending', at: thread, message: 'everybody has left, and the run has no end' }))
}

/** Questions that only broken code raises. */
function questionFindings(calm: Story, story: Story): readonly Finding[] {
  const odd = (one: Story): number => [...one.asked.values()].filter(({ kind }) => kind === 'incompatible').length
  if (odd(story) <= odd(calm)) return []
  const question = [...story.asked.values()].find(({ kind }) => kind === 'incompatible')
  return [{ kind: 'transcript', at: question?.id ?? '', message: `a durable body took another way: ${question?.prompt}` }]
}

/** What the classes promise of each place, whatever the outside looks like. */
function effectFindings(story: Story): readonly Finding[] {
  const { book, threads } = story
  const places = new Map<string, Execution[]>()
  for (const execution of book.executions) {
    const place = placeText(execution)
    places.set(place, [...(places.get(place) ?? []), execution])
  }
  const duplicates = [...places.values()].flatMap((executions) => repeated(story, executions))
  return [...duplicates, ...[...threads].flatMap(([thread, events]) => claimed(thread, events, places))]
}

/** The moment at which the effect of a place last began, as `thread@seq`. */
function momentOf({ threads }: Story, { thread, call, step }: EffectPlace): string {
  const began = (threads.get(thread) ?? []).findLast(({ type, data }) =>
    step === undefined ? type === 'tool.started' && data.call === call : type === 'tool.step-started' && data.call === call && data.key === step,
  )
  return began ? `${thread}@${began.seq}` : thread
}

function repeated(story: Story, executions: readonly Execution[]): readonly Finding[] {
  const [first] = executions
  if (!first || first.effect === 'pure' || first.effect === 'read') return []
  const { tool, effect, input, key } = first
  const at = momentOf(story, first)
  const keys = new Set(executions.map((execution) => execution.key))
  if (keys.size > 1) return [{ kind: 'duplicate', at, message: `${tool} (${effect}) ran with ${keys.size} keys: ${[...keys].join(', ')}` }]
  const done = executions.filter(({ end }) => end === 'returned').length
  if (effect === 'idempotent' || done < 2) return []
  return [{ kind: 'duplicate', at, message: `${tool}(${input}) (${effect}, key ${key}) was done ${done} times` }]
}

/** Results that claim an effect which never was. */
function claimed(thread: string, events: readonly LoomEvent[], places: ReadonlyMap<string, readonly Execution[]>): readonly Finding[] {
  const tools = new Set([...places.values()].flatMap((executions) => executions.map(({ tool }) => tool)))
  const names = new Map<string, string>()
  return events.flatMap((event): readonly Finding[] => {
    if (event.type === 'model.replied') {
      const calls = event.data.parts.filter((part) => part.type === 'call')
      for (const [index, { name }] of calls.entries()) names.set(`${event.turn}.${index}`, name)
    }
    if (event.type !== 'tool.finished' || event.data.status !== 'success' || event.data.meta?.['answered'] === true) return []
    const { call } = event.data
    const name = names.get(call) ?? ''
    const isPlain = [...places.values()].some((executions) => executions.some(({ tool, step }) => tool === name && step === undefined))
    if (!tools.has(name) || !isPlain || places.has(placeText({ thread, call }))) return []
    return [{ kind: 'lost', at: `${thread}@${event.seq}`, message: `${name} ${call} is said to have succeeded, and it never ran` }]
  })
}

/** The outside must be as in the undisturbed life; where nobody could tell, at least nothing that may happen once has happened more often. */
function outsideFindings(calm: Story, story: Story, untold: ReadonlySet<string>): readonly Finding[] {
  if (calm.outside === story.outside) return []
  const isUntold = untold.size > 0
  const before = countsOf(calm, isUntold)
  const now = countsOf(story, isUntold)
  const differing = [...new Set([...before.keys(), ...now.keys()])].filter((what) => before.get(what) !== now.get(what))
  const more = differing.filter((what) => (now.get(what) ?? 0) > (before.get(what) ?? 0))
  if (isUntold && more.length === 0) return []
  const wrong = more.length > 0 ? more : differing
  const told = wrong.map((what) => `${what} ${now.get(what) ?? 0} times, undisturbed ${before.get(what) ?? 0} times${doersOf(story, what)}`)
  const difference = `the outside is ${story.outside}, and it was ${calm.outside} in the undisturbed life`
  const doer = [...story.book.reaches, ...calm.book.reaches].find(({ what, by }) => by && wrong.includes(what))?.by
  return [{ kind: more.length > 0 ? 'duplicate' : 'lost', ...(doer && { at: momentOf(story, doer) }), message: [difference, ...told].join('; ') }]
}

/** How often the outside was reached in each way; by all, or by what may happen once only. */
function countsOf({ book }: Story, onceOnly: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { what, by } of book.reaches) {
    if (!onceOnly || by?.effect === 'unsafe') counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return counts
}

function doersOf(story: Story, what: string): string {
  const doers = story.book.reaches.flatMap(({ what: done, by }) =>
    done === what && by ? [`${by.tool} (${by.effect}) at ${momentOf(story, by)}`] : [],
  )
  return doers.length > 0 ? ` by ${[...new Set(doers)].join(', ')}` : ''
}
