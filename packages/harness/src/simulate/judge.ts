/** What must hold in a simulation when everything has come to its end. */
import { canonicalJson, type Frame, fold, isOver, type Json, type LoomEvent, summarize } from '@loom-agent/kernel'
import { type Finding, judge, judgeAlone, type TrialRecord } from '@loom-agent/testing/crash'
import { judgeLoneStops } from './lone-stop.ts'
import type { UserRequest, Users } from './users.ts'
import { look, recordOf, type SeenThread, type Simulation, type Worker } from './world.ts'

/**
 * The liveness law: whatever can go on, goes on. Everything that users requested has come to its end, every worker that was drained has ended, and every
 * result that users wait for is settled, unless the worker that owes it is dead. Where users answer nothing any more, a thread may wait instead, if it
 * says for what. Children that nobody waits for any more are left to recovery: without it only `roots` can be judged.
 */
export async function openEnds({ requests, simulation, unsettled, fallSilent }: Users, which: 'roots' | 'all' = 'all'): Promise<readonly string[]> {
  const threads = await look(simulation)
  const isAlive = ({ process }: Worker): boolean => !process.isDead()
  const isGiven = ({ thread, number }: UserRequest): boolean => (threads.get(thread)?.frame.runs ?? 0) >= number
  const isOpen = ({ frame: { run, queue } }: SeenThread): boolean => run !== undefined && !(isOver(run) && queue.length === 0)
  const judged = [...threads.values()].filter(({ frame }) => which === 'all' || frame.parent === undefined)
  const open = judged.filter((seen) => isOpen(seen) && !(fallSilent && (saysWhy(seen.frame, threads) || isBelowRest(seen.frame, threads))))
  return [
    ...[...unsettled].filter(([, worker]) => isAlive(worker)).map(([{ thread }, { process }]) => `p${process.number} owes a result of ${thread}`),
    ...[...simulation.draining].filter(isAlive).map(({ process }) => `p${process.number} is draining`),
    ...requests
      .filter((request) => request.kind === 'input' && !isGiven(request))
      .map(({ thread, number }) => `input ${number} of ${thread} is not taken`),
    ...open.map(({ frame: { thread, run } }) => `${thread} is ${run?.status}`),
  ]
}

/** Whether a thread, or a child that it waits for, is suspended until an answer, a time, a signal or a caller. */
function saysWhy({ run, questions, thread }: Frame, threads: ReadonlyMap<string, SeenThread>): boolean {
  if (run?.status !== 'suspended') return false
  if (Object.keys(questions).length > 0 || run.pause || run.until !== undefined) return true
  const children = [...threads.values()].filter(({ frame }) => frame.parent?.thread === thread && frame.run && !isOver(frame.run))
  return children.some(({ frame }) => saysWhy(frame, threads))
}

/** Whether a thread above waits for a caller, or for an answer about its run: its children go on when it does. */
function isBelowRest({ parent }: Frame, threads: ReadonlyMap<string, SeenThread>): boolean {
  const above = parent && threads.get(parent.thread)?.frame
  if (!above) return false
  const asks = Object.values(above.questions).some(({ call }) => call === undefined)
  return (above.run?.status === 'suspended' && (above.run.pause || asks)) || isBelowRest(above, threads)
}

/** Judges a simulation: by itself, and by an uninterrupted one if its transcript must be the same. */
export async function judgeSimulation(users: Users, reference?: Simulation): Promise<readonly Finding[]> {
  const record = await recordOf(users.simulation)
  const judged = reference ? judge(await recordOf(reference), record).found : judgeAlone(record)
  // Where users fall silent a thread may wait without an end, and so may its calls; the liveness law says when.
  const isWaiting = (at = ''): boolean => record.threads.has(at) && !isEnded(record.threads.get(at) ?? [])
  const found = judged.filter(({ kind, at }) => !users.fallSilent || (kind !== 'ending' && kind !== 'missing') || !isWaiting(at))
  return [
    ...found,
    ...effectFindings(users.simulation),
    ...(await tableFindings(users.simulation, record)),
    ...winnerFindings(users, record.threads),
    ...judgeLoneStops(users.loneStops, users.simulation.observer.log.executions),
    ...[...record.threads].flatMap(([thread, events]) => forgottenSteps(thread, events)),
  ]
}

function isEnded(events: readonly LoomEvent[]): boolean {
  const { run } = fold(events[0]?.thread ?? '', events)
  return run === undefined || isOver(run)
}

/** A call that is cancelled says which of its steps may have happened. */
function forgottenSteps(thread: string, events: readonly LoomEvent[]): readonly Finding[] {
  const open = new Map<string, Set<string>>()
  const doubts = new Map<string, string>()
  const found: Finding[] = []
  for (const { type, data, seq } of events) {
    if (type === 'question.asked' && data.kind === 'in-doubt') doubts.set(data.id, `${data.call} ${data.key}`)
    // A human has said what became of it.
    if (type === 'question.answered') {
      const [call = '', key = ''] = (doubts.get(data.id) ?? '').split(' ')
      open.get(call)?.delete(key)
    }
    const steps = 'call' in data ? (open.get(String(data.call)) ?? new Set<string>()) : new Set<string>()
    if (type === 'tool.step-started' && (data.effect === 'unsafe' || data.effect === 'reconcilable')) open.set(data.call, steps.add(data.key))
    if (type === 'tool.step-finished') steps.delete(data.key)
    if (type === 'tool.finished' && data.errorType === 'cancelled' && steps.size > 0)
      found.push({
        kind: 'missing',
        at: `${thread}@${seq}`,
        message: `${[...steps].join(', ')} of ${data.call} may have happened, and nobody says so`,
      })
  }
  return found
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
