/**
 * A thread of the process that sends heartbeats while the main thread cannot: a tool may compute for a minute without returning to the event loop.
 *
 * The main thread raises a counter in shared memory with each of its own heartbeats. The worker looks at it, and does nothing while it moves: it has no
 * connection then. Once the counter has stood still for an interval, the worker connects and sends the heartbeats, until the counter moves again.
 *
 * Where there are no workers, or what they need cannot be passed to them, the main thread alone sends heartbeats.
 *
 * LIVE-5. The worker lives while threads are held, and at most half an interval longer, so that runs that follow each other share one. It keeps no process
 *         alive, and `end` ends it.
 * LIVE-6. Once the main thread has stood still for `stall`, it is silent: a process that hangs for ever must not keep its threads for ever.
 * LIVE-7. The time of the worker's last heartbeat is never taken for later than it was: its clock starts after the moment at which it is counted from.
 *
 * Its code is a text, so that it is there wherever this file is: in a bundle, and when the sources are run.
 */
import { orUndefined } from './or-undefined.ts'

/** What a worker of one kind of store does. */
export interface StandbyWork {
  /** Defines `beat()`, which sends one heartbeat, and `rest()`, which closes the connection. Both may be asynchronous; `require` and `data` are there. */
  readonly source: string
  /** What the source needs. It is copied. */
  readonly data: unknown
}

/** How often the main thread sends heartbeats, and for how long the worker stands in for it, in milliseconds. */
export interface StandbyTimes {
  readonly every: number
  readonly stall: number
}

/** Sends heartbeats while the main thread cannot. */
export interface Standby {
  /** Threads are held: a worker is started if there is none. */
  hold(): void
  /** No thread is held. */
  rest(): void
  /** The main thread turns. */
  pulse(): void
  /** When the last heartbeat of the worker was sent that was acknowledged, by the clock that was given. */
  acknowledged(): number
  end(): Promise<void>
}

/** The shared memory: whether threads are held, the counter of the main thread, and when the worker's last heartbeat was sent. */
const [state, counter, sent] = [0, 1, 2]
const [idle, held, ended] = [0n, 1n, 2n]

const loop = `
const { shared, every, stall } = workerData
const began = performance.now()
let seen = Atomics.load(shared, ${counter})
let moved = began
let wasIdle = false
let isBusy = false
async function look() {
  const now = performance.now()
  const count = Atomics.load(shared, ${counter})
  const hasMoved = count !== seen
  if (hasMoved) moved = now
  seen = count
  const isIdle = Atomics.load(shared, ${state}) === ${idle}n
  if (isIdle && wasIdle && !hasMoved && Atomics.compareExchange(shared, ${state}, ${idle}n, ${ended}n) === ${idle}n) clearInterval(timer)
  wasIdle = isIdle
  if (isIdle || now - moved < every || now - moved >= stall) return rest()
  await beat()
  Atomics.store(shared, ${sent}, BigInt(Math.floor(now - began)))
}
const timer = setInterval(() => {
  if (isBusy) return
  isBusy = true
  const done = () => { isBusy = false }
  look().catch(() => rest()).then(done, done)
}, every / 4)
`

/** No worker yet. Undefined where there can be none. */
export function createStandby({ source, data }: StandbyWork, { every, stall }: StandbyTimes, now: () => number): Standby | undefined {
  const WorkerClass = orUndefined(() => process.getBuiltinModule('node:worker_threads').Worker)
  if (!WorkerClass || !orUndefined(() => [structuredClone(data)])) return undefined
  const code = `const { workerData } = require('node:worker_threads')\nconst { data } = workerData\n${source}\n${loop}`
  let shared = new BigInt64Array(new SharedArrayBuffer(24))
  let worker: InstanceType<typeof WorkerClass> | undefined
  let started = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let isUnusable = false
  const acknowledged = (): number => {
    const elapsed = Atomics.load(shared, sent)
    if (elapsed > 0n) last = Math.max(last, started + Number(elapsed))
    return last
  }
  const start = (): void => {
    acknowledged()
    shared = new BigInt64Array(new SharedArrayBuffer(24))
    Atomics.store(shared, state, held)
    started = now()
    // The options of this process may load code that the worker has no use for, and its output would keep this process busy.
    const options = { eval: true, execArgv: [], stdout: true, stderr: true, name: 'loom heartbeat' }
    const made = new WorkerClass(code, { ...options, workerData: { shared, every, stall, data } })
    // A worker that fails is not replaced: the main thread still sends heartbeats.
    made.once('error', () => (isUnusable = true))
    made.unref()
    worker = made
  }
  return {
    hold() {
      if (isUnusable || (worker && Atomics.compareExchange(shared, state, idle, held) !== ended)) return
      isUnusable = orUndefined(() => [start()]) === undefined
    },
    rest: () => void Atomics.compareExchange(shared, state, held, idle),
    pulse: () => void Atomics.add(shared, counter, 1n),
    acknowledged,
    async end() {
      isUnusable = true
      await worker?.terminate()
    },
  }
}
