/**
 * Starting what schedules ask for.
 *
 * DUE-6. What is started is decided first: the decision is durable before the first start, and what became of the starts after the last. A process that is
 *        lost in between leaves a decision that another one carries out.
 * DUE-7. The id of a run follows from its schedule and its due time: started twice, by whomever, it is one run (START-1).
 * DUE-8. The time is that of the store: processes whose clocks differ decide alike. Where it goes back, nothing is decided again.
 */
import type { Input, RunHandle } from '@loom-agent/agent'
import { type DueRun, type Head, isLoomError, type Journal, LoomError, type ScheduledStart } from '@loom-agent/kernel'
import { appendKept, storeTime } from '../kept/kept-thread.ts'
import { startOf } from '../web/service/started-run.ts'
import { dueTimes } from './due-times.ts'
import { planDue } from './plan-due.ts'
import { type KeptSchedule, readSchedule, scheduleAgent, scheduleThread, setAt } from './schedule-thread.ts'

/** An agent whose runs schedules may start. */
export interface ScheduledAgent {
  readonly name: string
  readonly journal: Journal
  start(input: Input, options: Omit<ScheduledStart, 'input'> & { readonly id: string }): RunHandle<unknown>
}

/** What a look at the schedules needs. */
export interface StartDueOptions {
  /** Notified of what could not be started for now; it is tried again with the next look. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Starts that are made at once, of one schedule. */
const together = 20
const pageSize = 100

/** When to look again, in milliseconds from now; undefined when no schedule is due for as long as was asked about. */
export interface Looked {
  readonly in: number | undefined
}

/**
 * Starts all runs of these agents that are due, once. Call it again and again, as `serve` does; or give it to `recover`.
 *
 * @example
 * await clerk.recover({ every: 10_000, alongside: () => startDue([clerk]) })
 */
export async function startDue(agents: readonly ScheduledAgent[], options: StartDueOptions & { readonly ahead?: number } = {}): Promise<Looked> {
  const journals = [...new Set(agents.map(({ journal }) => journal))]
  const looked = await Promise.all(journals.map((journal) => startIn(journal, agents, options)))
  const next = looked.flatMap((one) => one.in ?? [])
  return { in: next.length === 0 ? undefined : Math.min(...next) }
}

/** The same for one journal, and the agents that have it. */
async function startIn(
  journal: Journal,
  all: readonly ScheduledAgent[],
  { onError, ahead = 0 }: StartDueOptions & { readonly ahead?: number },
): Promise<Looked> {
  const byName = new Map(all.filter((agent) => agent.journal === journal).map((agent) => [agent.name, agent]))
  const now = await storeTime(journal)
  let next: number | undefined
  for await (const head of dueHeads(journal, now + ahead)) {
    const { wakeAt = now } = head.summary
    if (wakeAt > now) next = Math.min(next ?? wakeAt, wakeAt)
    else await startOne(journal, head, byName).catch((error: unknown) => onError?.(error))
  }
  return { in: next === undefined ? undefined : next - now }
}

/** The rows of schedules that are to be looked at up to a moment. */
async function* dueHeads(journal: Journal, dueBy: number): AsyncGenerator<Head, void> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ agent: scheduleAgent, dueBy, limit: pageSize, ...(after !== undefined && { after }) })
    yield* page
    after = page.at(-1)?.thread
    if (page.length < pageSize) return
  }
}

/** Decides and starts until nothing of a schedule is due. What was missed is decided about once, so this ends. */
async function startOne(journal: Journal, { thread }: Head, agents: ReadonlyMap<string, ScheduledAgent>): Promise<void> {
  const name = thread.slice(scheduleThread('').length)
  for (;;) {
    const known = await readSchedule(journal, name)
    const goesOn = known && ((await startLeft(journal, known, agents)) || (await decide(journal, known, agents)))
    if (!goesOn) return
  }
}

/** Carries out the last decision. Returns whether there was anything to do. */
async function startLeft(journal: Journal, known: KeptSchedule, agents: ReadonlyMap<string, ScheduledAgent>): Promise<boolean> {
  const { left, kept, set: now, after } = known
  const set = left && (await setAt(journal, kept, left.set))
  const agent = set && agents.get(set.data.agent)
  if (!left || !set || !agent) return false
  const runs: DueRun[] = []
  for (let from = 0; from < left.starts.length; from += together) {
    const times = left.starts.slice(from, from + together)
    runs.push(...(await Promise.all(times.map((time) => startAt(agent, { name: set.data.name, time, start: set.data.start })))))
  }
  const next = now.paused ? undefined : dueTimes(now.timing).next(after)
  await appendKept(journal, kept, { drafts: [{ type: 'schedule.started', data: { runs, ...(next !== undefined && { wakeAt: next }) } }] })
  // Where another process has recorded it first, that one has started the same runs.
  return true
}

/** A due time of a schedule, and what its run is started with. */
interface DueStart {
  readonly name: string
  readonly time: number
  readonly start: ScheduledStart
}

async function startAt(agent: ScheduledAgent, { name, time, start }: DueStart): Promise<DueRun> {
  const { input, thread, metadata, ...options } = start
  const moment = new Date(time).toISOString()
  const id = `schedule:${name}:${moment}`
  try {
    // It was checked when the schedule was set.
    const handle = agent.start(input as Input, {
      ...options,
      id,
      thread: thread ?? `${name}/${moment}`,
      metadata: { ...metadata, schedule: name, due: time },
    })
    // How the run ends is in the journal; whether it could be started, the next line says.
    handle.result().catch(() => {})
    const { run, thread: on } = await startOf(handle, id)
    return { time, thread: on, run }
  } catch (error) {
    if (mayHelp(error)) throw error
    const { code, message } = isLoomError(error) ? error : new LoomError('LOOM_RUN_FAILED', String(error).slice(0, 1000))
    return { time, error: { code, message } }
  }
}

/** Whether the same start may succeed later: the journal is away, or this process ends. A busy thread that rejects is an outcome. */
const mayHelp = (error: unknown): boolean =>
  isLoomError(error) && ((error.retry === 'later' && error.code !== 'LOOM_THREAD_BUSY') || error.code === 'LOOM_JOURNAL_CLOSED')

/** Decides about the due times that have come. Returns whether there were any. */
async function decide(journal: Journal, known: KeptSchedule, agents: ReadonlyMap<string, ScheduledAgent>): Promise<boolean> {
  const { set, setSeq, after, kept, left } = known
  if (left || set.paused || !agents.has(set.agent)) return false
  const { now } = kept.head.times
  const plan = planDue(dueTimes(set.timing), set, { after, now })
  if (!plan) return false
  const { starts, skipped, next } = plan
  const wakeAt = starts.length > 0 ? now : next
  const data = { set: setSeq, to: now, starts, ...(skipped && { skipped }), ...(wakeAt !== undefined && { wakeAt }) }
  await appendKept(journal, kept, { drafts: [{ type: 'schedule.due', data }] })
  return true
}
