/** What must hold in a simulation when everything has come to its end. */
import { canonicalJson, fold, isOver, type Json, type LoomEvent, summarize } from '@loom-agent/kernel'
import { type Finding, judge, judgeAlone, type TrialRecord } from '@loom-agent/testing/crash'
import type { Users } from './users.ts'
import { look, recordOf, type Simulation } from './world.ts'

/**
 * The liveness law: whatever can go on, goes on. Everything that users requested has come to its end, and every result that they wait for is settled,
 * unless the worker that owes it is dead.
 */
export async function isAtEnd({ requests, simulation, unsettled }: Users): Promise<boolean> {
  for (const { process } of unsettled.values()) if (!process.isDead()) return false
  const threads = await look(simulation)
  const inputs = requests.filter(({ kind }) => kind === 'input')
  const isGiven = inputs.every(({ thread, number }) => (threads.get(thread)?.frame.runs ?? 0) >= number)
  return isGiven && [...threads.values()].every(({ frame: { run, queue } }) => run === undefined || (isOver(run) && queue.length === 0))
}

/** Judges a simulation: by itself, and by an uninterrupted one if its transcript must be the same. */
export async function judgeSimulation(users: Users, reference?: Simulation): Promise<readonly Finding[]> {
  const record = await recordOf(users.simulation)
  const found = reference ? judge(await recordOf(reference), record).found : judgeAlone(record)
  return [...found, ...effectFindings(users.simulation), ...(await tableFindings(users.simulation, record)), ...winnerFindings(users, record.threads)]
}

/** Every planned effect happens once at most. */
function effectFindings({ world }: Simulation): readonly Finding[] {
  const repeated = Object.entries(world.done).filter(([, count]) => count > 1)
  return repeated.map(([effect, count]) => ({ kind: 'duplicate', message: `${effect} happened ${count} times` }))
}

/** The table of threads says what the journal says. */
async function tableFindings({ storage }: Simulation, { threads }: TrialRecord): Promise<readonly Finding[]> {
  const journal = await storage.open()
  const found: Finding[] = []
  for (const [thread, events] of threads) {
    const table = shown((await journal.head(thread))?.summary)
    const folded = shown(summarize(fold(thread, events)))
    if (table !== folded) found.push({ kind: 'journal', at: `${thread}@${events.length}`, message: `the table says ${table}, the journal ${folded}` })
  }
  await storage.abandon(journal)
  return found
}

const shown = (summary: object | undefined): string => canonicalJson(JSON.parse(JSON.stringify(summary ?? {})) as Json)

/** An answer that was accepted is in the journal. */
function winnerFindings({ accepted }: Users, threads: ReadonlyMap<string, readonly LoomEvent[]>): readonly Finding[] {
  return accepted.flatMap(({ question, answer }): readonly Finding[] => {
    const thread = question.slice(0, question.indexOf('#'))
    const id = question.slice(thread.length + 1, question.lastIndexOf('@'))
    const recorded = (threads.get(thread) ?? []).flatMap((event) => (event.type === 'question.answered' && event.data.id === id ? [event.data] : []))
    if (recorded.some((data) => canonicalJson(data.answer as Json) === answer)) return []
    return [{ kind: 'winner', at: question, message: `${answer} was accepted, and the journal does not have it` }]
  })
}
