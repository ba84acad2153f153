/** The judge of a life: compares what was told, what the journal holds and what happened outside. Knows nothing of how it came about. */
import { isDeepStrictEqual } from 'node:util'
import { agent } from '@loom-agent/agent'
import { verify } from '@loom-agent/journals'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { checkHistory } from '../history/check-history.ts'
import type { Ending } from './announcer.ts'
import { type CallBook, readCalls } from './call-book.ts'
import { eventsOf } from './events-of.ts'
import type { Finding, Verdict } from './finding.ts'
import type { Errand } from './job.ts'
import type { Deed } from './outside.ts'
import { answerOf, planOf } from './plan.ts'
import { expectedTranscript, transcriptOf } from './transcript.ts'

/** What is left when all processes of a life are gone. */
export interface Evidence {
  readonly life: string
  readonly journal: Journal
  readonly errands: readonly Errand[]
  readonly told: readonly LoomEvent[]
  readonly deeds: readonly Deed[]
  readonly endings: readonly Ending[]
}

/** What the judge saw, and what is wrong with it. */
export interface Judgement {
  readonly findings: readonly Finding[]
  readonly events: number
  readonly threads: number
  /** Calls and steps that were in doubt. */
  readonly doubts: number
  readonly questions: number
}

type Blame = (verdict: Verdict, message: string) => void

/** Judges a life. */
export async function judge(evidence: Evidence): Promise<Judgement> {
  const { life, journal, errands, told, deeds, endings } = evidence
  const findings: Finding[] = []
  const blame: Blame = (verdict, message) => findings.push({ verdict, life, message })
  for await (const { thread, seq, problem, repaired } of verify(journal)) {
    // A write that the kill has cut in two leaves a torn end; what was acknowledged is compared with what clients were told.
    if (!repaired) blame('damage', `${thread ?? 'the journal'}@${seq ?? 0}: ${problem}`)
  }
  const threads = new Map<string, readonly LoomEvent[]>()
  for (const { thread } of errands) await readTree(journal, thread, threads)
  const events = [...threads.values()].flat()
  compareTold(told, threads, blame)
  for (const [thread, own] of threads) {
    for (const { rule, seq, message } of checkHistory(own)) blame('history', `${thread}@${seq} ${rule}: ${message}`)
  }
  compareDeeds(
    [...threads].map(([thread, own]) => readCalls(thread, own)),
    deeds,
    blame,
  )
  for (const errand of errands) await compareEnd(journal, { errand, ending: endings.find(({ thread }) => thread === errand.thread) }, blame)
  const count = (type: LoomEvent['type']): number => events.filter((event) => event.type === type).length
  return { findings, events: events.length, threads: threads.size, doubts: count('tool.in-doubt'), questions: count('question.asked') }
}

/** The events of a thread and of all threads below it. */
async function readTree(journal: Journal, thread: string, threads: Map<string, readonly LoomEvent[]>): Promise<void> {
  const events = await eventsOf(journal, thread)
  threads.set(thread, events)
  for (const { type, data } of events) if (type === 'child.started') await readTree(journal, data.child, threads)
}

/** What clients were told is in the journal, word for word. */
function compareTold(told: readonly LoomEvent[], threads: ReadonlyMap<string, readonly LoomEvent[]>, blame: Blame): void {
  for (const event of told) {
    const held = threads.get(event.thread)?.[event.seq - 1]
    const at = `${event.thread}@${event.seq}`
    if (!held) blame('lost', `${at} ${event.type} was told and is not there`)
    // Another event in its place is no change of the one that was told.
    else if (held.type !== event.type || held.time !== event.time)
      blame('lost', `${at} was told as ${shown(event)} and in its place is ${shown(held)}`)
    else if (!isDeepStrictEqual(plain(held), event)) blame('changed', `${at} was told as ${shown(event)} and is ${shown(held)}`)
  }
}

/** As it looks on the other side of a pipe. */
const plain = (event: LoomEvent): unknown => JSON.parse(JSON.stringify(event))

const shown = (event: LoomEvent): string => JSON.stringify(event).slice(0, 300)

/** What happened outside is what the journal says has happened, as often as its class allows, and not before its intent. */
function compareDeeds(books: readonly CallBook[], deeds: readonly Deed[], blame: Blame): void {
  const effects = new Map(books.flatMap(({ effects: own }) => own.map((effect) => [effect.label, effect] as const)))
  for (const { unended } of books) for (const place of unended) blame('forgotten', `${place} has begun and has no end`)
  const byLabel = Map.groupBy(deeds, ({ label }) => label)
  for (const [label, own] of byLabel) {
    const effect = effects.get(label)
    const keys = new Set(own.map(({ key }) => key ?? ''))
    if (!effect) blame('early', `${label} happened, and the journal knows no such call`)
    else if (own.some((deed) => deed.process < effect.firstProcess)) blame('early', `${label} happened before its intent was durable`)
    if (effect?.isKeyed ? keys.size > 1 : own.length > 1) blame('doubled', `${label} happened ${own.length} times, under ${keys.size} keys`)
  }
  for (const { label, succeeded } of effects.values()) {
    if (succeeded && !byLabel.has(label)) blame('forgotten', `${label} has its result, and nothing happened outside`)
  }
}

/** The run has ended, with the transcript and the answer that its input asks for. */
async function compareEnd(
  journal: Journal,
  { errand: { thread, input }, ending }: { errand: Errand; ending: Ending | undefined },
  blame: Blame,
): Promise<void> {
  const plan = planOf(input)
  const answer = answerOf(plan)
  if (ending?.status !== 'done') return blame('stuck', `${thread} ended as ${ending?.status ?? 'nothing at all'}: ${ending?.text}`)
  if (ending.text !== answer) blame('transcript', `${thread} answered ${ending.text}, and not ${answer}`)
  const transcript = transcriptOf(await agent({ name: 'reader', journal }).messages(thread))
  const expected = expectedTranscript(plan)
  const wrong = expected.findIndex((line, index) => transcript[index] !== line)
  if (wrong !== -1 || transcript.length !== expected.length) {
    const at = wrong === -1 ? expected.length : wrong
    blame('transcript', `${thread}, line ${at}: ${transcript[at]?.slice(0, 200)} instead of ${expected[at]?.slice(0, 200)}`)
  }
}
