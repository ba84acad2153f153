/**
 * Users of workers that do not recover by themselves: they resume or stop what has lost its worker, and nothing else helps it.
 *
 * So what a handle promises is judged without any recovery: its own result settles.
 */
import { type Frame, isOver, items, type LoomEvent } from '@loom-agent/kernel'
import { processOf } from '@loom-agent/testing/crash'
import { follow, type Users } from './users.ts'
import { available, isGone, look, type Simulation, type Worker } from './world.ts'

/** How often users look after threads. */
const interval = 5_000
/** How likely they stop what has lost its worker, instead of resuming it. */
const stops = 0.4

/** What other users append, which makes a worker drive a thread. */
const contributed: ReadonlySet<LoomEvent['type']> = new Set(['run.queued', 'question.answered', 'message.steered', 'run.pause-requested'])

/** Looks after all threads from time to time. */
export function startTending(users: Users): void {
  const { clock } = users.simulation.observer.time
  const touched = new Set<Worker>()
  const tend = async (): Promise<void> => {
    clock.at(clock.now() + interval, () => void tend())
    for (const [thread, { frame }] of await look(users.simulation)) if (frame.parent === undefined) await resumeLost(users, thread, frame)
    if (users.simulation.dice.isCalm()) touchAll(users, touched)
  }
  clock.at(clock.now() + interval, () => void tend())
}

/** Every worker does something else once: with that it releases what it could not release before. */
function touchAll(users: Users, touched: Set<Worker>): void {
  for (const worker of available(users.simulation)) {
    if (touched.has(worker)) continue
    touched.add(worker)
    follow(users, worker.agent.start('Hello.', { thread: `touch-${worker.process.number}` }), { worker })
  }
}

async function resumeLost(users: Users, thread: string, frame: Frame): Promise<void> {
  const { simulation, unsettled } = users
  const { run, queue, questions } = frame
  const isFollowed = [...unsettled].some(([handle, { process }]) => handle.thread === thread && !process.isDead())
  const isEnded = run === undefined || (isOver(run) && queue.length === 0)
  const workers = available(simulation)
  // A run that is not suspended has lost its worker, whatever questions it has.
  const waits = run?.status === 'suspended' && (run.pause || Object.keys(questions).length > 0)
  if (isFollowed || isEnded || waits || workers.length === 0) return
  const worker = simulation.dice.pick(workers)
  // Where a child is open, an answer to it may make the same worker drive the thread for another reason.
  const hasChildren = [...items(run.calls)].some(({ open }) => open.some(({ child }) => child !== undefined))
  const stopsIt = users.isFree && !hasChildren && simulation.dice.random() < stops && (await isUndriven(simulation, thread))
  const handle = worker.agent.resume(thread)
  follow(users, handle, { worker })
  if (!stopsIt) return
  const calls = [...items(run.calls)].filter(({ state }) => state !== 'settled').map(({ id }) => id)
  const after = simulation.observer.log.executions.length
  // In the same moment: whatever was lost, nothing of it is run before the stop is known. A stop that was refused is none.
  const isStopped = await handle.stop('Nobody needs it.').then(
    () => true,
    () => false,
  )
  // Another user may have made the worker drive the thread while the stop was on its way.
  const since = (await look(simulation)).get(thread)?.events.slice(frame.seq) ?? []
  if (isStopped && !since.some(({ type }) => contributed.has(type)))
    users.loneStops.push({ thread, process: worker.process.number, calls: new Set(calls), after })
}

async function isUndriven(simulation: Simulation, thread: string): Promise<boolean> {
  const { storage, workers } = simulation
  const journal = await storage.open()
  const head = await journal.head(thread)
  await storage.abandon(journal)
  const holder: Worker | undefined = head?.holder === undefined ? undefined : workers[processOf(head.holder)]
  return head?.holder === undefined || isGone(simulation, holder)
}
