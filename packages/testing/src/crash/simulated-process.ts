/** A simulated process: it can die, or freeze for a while, in the middle of whatever it does. */
import type { Ids } from '@loom-agent/agent'
import type { Clock } from '@loom-agent/kernel'
import type { CrashPoint, Operation } from './crash-point.ts'

/** What happens to a process at a crash point: it continues, it dies, or it freezes until the promise settles. */
export type Fate = 'live' | 'die' | Promise<void>

/** How a process is set up. */
export interface ProcessOptions {
  /** Its number within the trial, from 0. */
  readonly number: number
  /** The clock that all processes share. */
  readonly clock: Clock
  /** How far its own clock is ahead, in milliseconds; default 0. */
  readonly skew?: number
  /** What happens to it at a crash point. */
  readonly fate: (point: CrashPoint) => Fate
  /** Called whenever the process does something. */
  readonly progressed: () => void
}

/** A process. From its death on no pending operation returns, and nothing that it still tries has an effect. */
export interface SimulatedProcess {
  /** Its number within the trial, from 0. */
  readonly number: number
  /** Its own clock. */
  readonly clock: Clock
  /** Makes ids that name the process: `p0.1`. */
  readonly ids: Ids
  /** The crash points that it has passed or died at. */
  readonly passed: readonly CrashPoint[]
  /** Resolves when it has died. */
  readonly died: Promise<void>
  /** Whether it has died. */
  isDead(): boolean
  /** Whether it is frozen now. */
  isFrozen(): boolean
  /** How many operations are in flight. */
  busy(): number
  /** Ends it at once. */
  kill(): void
  /** What an operation has to wait for first: nothing while the process runs, forever once it is dead. */
  gate(): Promise<void> | undefined
  /** Reaches a crash point, and waits for what happens to the process there. */
  pass(when: CrashPoint['when'], operation: Operation, subject: string): Promise<void> | undefined
  /** Does something between its two crash points. A synchronous result is returned synchronously. */
  around(operation: Operation, subject: string, work: () => unknown): unknown
}

/** The number of the process that made an id. */
export function processOf(id: string): number {
  return Number(/^p(\d+)\./.exec(id)?.[1] ?? 0)
}

type Where = Pick<CrashPoint, 'operation' | 'subject'>

interface State {
  readonly options: ProcessOptions
  readonly passed: CrashPoint[]
  readonly timers: Set<() => void>
  /** What a dead process waits for: a promise of its own, so that everything that waits can be collected with it. */
  readonly forever: Promise<never>
  readonly die: () => void
  dead: boolean
  frozen: Promise<void> | undefined
  busy: number
}

/** A process that lives until its fate says otherwise. */
export function createProcess(options: ProcessOptions): SimulatedProcess {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const state: State = {
    options,
    passed: [],
    timers: new Set(),
    forever: new Promise(() => {}),
    die: resolve,
    dead: false,
    frozen: undefined,
    busy: 0,
  }
  let ids = 0
  return {
    number: options.number,
    clock: clockOf(state),
    ids: () => {
      ids += 1
      return `p${options.number}.${ids}`
    },
    passed: state.passed,
    died,
    isDead: () => state.dead,
    isFrozen: () => state.frozen !== undefined,
    busy: () => state.busy,
    kill: () => kill(state),
    gate: () => gate(state),
    pass: (when, operation, subject) => pass(state, { when, operation, subject }),
    around: (operation, subject, work) => around(state, { operation, subject }, work),
  }
}

function kill(state: State): void {
  state.dead = true
  for (const cancel of state.timers) cancel()
  state.timers.clear()
  state.die()
}

/** A frozen process may be dead when it thaws, or frozen again. */
function gate(state: State): Promise<void> | undefined {
  if (state.dead) return state.forever
  return state.frozen?.then(() => gate(state))
}

function pass(state: State, at: Omit<CrashPoint, 'number'>): Promise<void> | undefined {
  const held = gate(state)
  if (held) return held.then(() => pass(state, at))
  state.options.progressed()
  const point = { number: state.passed.length + 1, ...at }
  state.passed.push(point)
  const fate = state.options.fate(point)
  if (fate === 'die') kill(state)
  else if (fate !== 'live') freeze(state, fate)
  return gate(state)
}

function freeze(state: State, until: Promise<void>): void {
  const frozen: Promise<void> = until.then(() => {
    if (state.frozen === frozen) state.frozen = undefined
  })
  state.frozen = frozen
}

function around(state: State, at: Where, work: () => unknown): unknown {
  const held = pass(state, { when: 'before', ...at })
  return held ? held.then(() => perform(state, at, work)) : perform(state, at, work)
}

function perform(state: State, at: Where, work: () => unknown): unknown {
  const leave = (result: () => unknown): unknown => {
    state.busy -= 1
    const held = pass(state, { when: 'after', ...at })
    return held ? held.then(result) : result()
  }
  state.busy += 1
  let value: unknown
  try {
    value = work()
  } catch (error) {
    return leave(() => {
      throw error
    })
  }
  if (!isThenable(value)) return leave(() => value)
  return Promise.resolve(value).then(
    (settled) => leave(() => settled),
    (error: unknown) => leave(() => Promise.reject(error)),
  )
}

/** Whether a value can be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** The clock of the process: a dead one has no timers, and those of a frozen one ring when it thaws. */
function clockOf(state: State): Clock {
  const { clock, skew = 0, progressed } = state.options
  return {
    now: () => clock.now() + skew,
    at(time, ring) {
      if (state.dead) return () => {}
      let cancelled = false
      const due = (): void => {
        state.timers.delete(cancel)
        const held = gate(state)
        // Timers of a process that thaws ring one by one, as they do on any platform.
        if (held) return void held.then(() => setImmediate(due))
        if (cancelled) return
        progressed()
        ring()
      }
      const stop = clock.at(time - skew, due)
      const cancel = (): void => {
        cancelled = true
        state.timers.delete(cancel)
        stop()
      }
      state.timers.add(cancel)
      return cancel
    },
  }
}
