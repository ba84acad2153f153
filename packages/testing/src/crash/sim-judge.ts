/** What must hold in a simulated world when everything has come to rest. */
import { canonicalJson, fold, isOver, type Json, type LoomEvent, summarize } from '@loom-agent/kernel'
import { placeText } from './effect-book.ts'
import type { Finding } from './finding.ts'
import type { People } from './sim-people.ts'
import { look, type SimWorld, threadsOf } from './sim-world.ts'
import { partingOf, transcriptOf } from './transcript.ts'
import { historyFindings } from './verdict.ts'

/** Whether everything that people wanted has come to its end. */
export async function isAtEnd({ wishes, world }: People): Promise<boolean> {
  const threads = await look(world)
  const inputs = wishes.filter(({ kind }) => kind === 'input')
  const isGiven = inputs.every(({ thread, number }) => (threads.get(thread)?.frame.runs ?? 0) >= number)
  return isGiven && [...threads.values()].every(({ frame: { run, queue } }) => run === undefined || (isOver(run) && queue.length === 0))
}

/** All laws, over the whole world. */
export async function judgeWorld(people: People): Promise<readonly Finding[]> {
  const { world } = people
  const threads = await threadsOf(world)
  const journal = await world.storage.open()
  const found: Finding[] = []
  for (const [thread, events] of threads) {
    found.push(...historyFindings(thread, events))
    const head = await journal.head(thread)
    const expected = summarize(fold(thread, events))
    if (JSON.stringify(plainOf(head?.summary)) !== JSON.stringify(plainOf(expected)))
      found.push({
        kind: 'journal',
        at: `${thread}@${events.length}`,
        message: `the table says ${shown(head?.summary)}, the journal ${shown(expected)}`,
      })
  }
  await world.storage.abandon(journal)
  world.witness.compare(threads)
  return [...world.found, ...found, ...world.witness.found, ...effectFindings(world), ...winnerFindings(people, threads)]
}

const plainOf = (summary: object | undefined): unknown => JSON.parse(JSON.stringify(summary ?? {}))
const shown = (summary: object | undefined): string => canonicalJson(plainOf(summary) as Json)

/** What may happen once has happened once at most; what has a key has one. */
function effectFindings({ book, outside }: SimWorld): readonly Finding[] {
  const found: Finding[] = []
  for (const [what, count] of Object.entries(outside.done)) {
    if (count > 1 && /^(unsafe|ask|reconcilable|idempotent|step)/.test(what))
      found.push({ kind: 'duplicate', message: `${what} happened ${count} times` })
  }
  const keys = new Map<string, string>()
  for (const execution of book.executions) {
    const place = placeText(execution)
    const known = keys.get(place) ?? execution.key
    if (known !== execution.key) found.push({ kind: 'duplicate', at: place, message: `it ran with two keys, ${known} and ${execution.key}` })
    keys.set(place, known)
  }
  return found
}

/** Whoever was told that his answer is in the journal can find it there. */
function winnerFindings({ given }: People, threads: ReadonlyMap<string, readonly LoomEvent[]>): readonly Finding[] {
  return given.flatMap(({ question, answer }): readonly Finding[] => {
    const thread = question.slice(0, question.indexOf('#'))
    const id = question.slice(thread.length + 1)
    const recorded = (threads.get(thread) ?? []).flatMap((event) => (event.type === 'question.answered' && event.data.id === id ? [event.data] : []))
    if (recorded.some((data) => canonicalJson(data.answer as Json) === answer)) return []
    return [{ kind: 'winner', at: question, message: `somebody was told that ${answer} counts, and the journal does not have it` }]
  })
}

/** Where a world with faults was told something else than one without. */
export async function compareWorlds(calm: SimWorld, world: SimWorld): Promise<readonly Finding[]> {
  const expected = await threadsOf(calm)
  const told = new Map([...(await threadsOf(world))].map(([thread, events]) => [thread, transcriptOf(thread, events)]))
  const untold = [...told.values()].flatMap(({ doubts }) => [...doubts].filter((place) => !world.told.has(place)))
  return [...expected].flatMap(([thread, events]): readonly Finding[] => {
    const own = untold.filter((place) => place.startsWith(`${thread} `))
    // The fate of a child is part of its parent's: what nobody could tell of another thread may be told here.
    const isExcused = own.length < untold.length
    const transcript = told.get(thread)
    if (!transcript) return isExcused ? [] : [{ kind: 'transcript', at: thread, message: 'the thread is missing' }]
    const calls = own.map((place) => place.slice(thread.length + 1).split('/')[0] ?? '')
    const parting = partingOf(transcriptOf(thread, events), transcript, new Set(calls))
    return !parting || parting.excused || isExcused ? [] : [{ kind: 'transcript', at: thread, message: parting.message }]
  })
}
