/** A process that can die, or stand still for a while, in the middle of whatever it does. */
import type { Clock, Ids } from '@loom-agent/kernel'
import type { Boundary, Deed } from './boundary.ts'

/** What becomes of a process at a boundary: it goes on, it dies there, or it stands still until the promise is settled. */
export type Fate = 'live' | 'die' | Promise<void>

/** How a process is set up. */
export interface ProcessOptions {
  /** Its number among the processes of a life, from 0. */
  readonly number: number
  /** Time, as all processes share it. */
  readonly clock: Clock
  /** How far its own clock is ahead. */
  readonly skew?: number
  readonly fate: (boundary: Boundary) => Fate
  /** Told of every sign of life. */
  readonly stirred: () => void
}

/** A process. From its death on nothing that it began comes back to it, and nothing that it still tries has an effect. */
export interface MortalProcess {
  readonly number: number
  readonly clock: Clock
  readonly ids: Ids
  /** The boundaries it has passed or died at. */
  readonly passed: readonly Boundary[]
  readonly died: Promise<void>
  isDead(): boolean
  isFrozen(): boolean
  /** How many deeds are under way. */
  busy(): number
  kill(): void
  /** What whoever wants to do something has to wait for; nothing as a rule, for ever in a dead process. */
  gate(): Promise<void> | undefined
  /** Comes to a boundary, and waits for what happens to the process there. */
  pass(when: Boundary['when'], deed: Deed, what: string): Promise<void> | undefined
  /** Does something between its two boundaries. What is done at once is answered at once. */
  around(deed: Deed, what: string, work: () => unknown): unknown
}

interface Body {
  readonly options: ProcessOptions
  readonly passed: Boundary[]
  readonly timers: Set<() => void>
  /** What it waits for once it is dead: its own, so that everything that waits for it can be forgotten with it. */
  readonly grave: Promise<never>
  readonly die: () => void
  dead: boolean
  frozen: Promise<void> | undefined
  busy: number
}

/** A process that lives until its fate says otherwise. */
export function createProcess(options: ProcessOptions): MortalProcess {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const body: Body = { options, passed: [], timers: new Set(), grave: new Promise(() => {}), die: resolve, dead: false, frozen: undefined, busy: 0 }
  let made = 0
  return {
    number: options.number,
    clock: clockOf(body),
    ids: () => {
      made += 1
      return `p${options.number}.${made}`
    },
    passed: body.passed,
    died,
    isDead: () => body.dead,
    isFrozen: () => body.frozen !== undefined,
    busy: () => body.busy,
    kill: () => kill(body),
    gate: () => gate(body),
    pass: (when, deed, what) => pass(body, { when, deed, what }),
    around: (deed, what, work) => around(body, { deed, what }, work),
  }
}

function kill(body: Body): void {
  body.dead = true
  for (const cancel of body.timers) cancel()
  body.timers.clear()
  body.die()
}

/** A frozen process may be dead when it thaws, or frozen again. */
function gate(body: Body): Promise<void> | undefined {
  if (body.dead) return body.grave
  return body.frozen?.then(() => gate(body))
}

function pass(body: Body, at: Omit<Boundary, 'number'>): Promise<void> | undefined {
  const held = gate(body)
  if (held) return held.then(() => pass(body, at))
  body.options.stirred()
  const boundary = { number: body.passed.length + 1, ...at }
  body.passed.push(boundary)
  const fate = body.options.fate(boundary)
  if (fate === 'die') kill(body)
  else if (fate !== 'live') freeze(body, fate)
  return gate(body)
}

function freeze(body: Body, until: Promise<void>): void {
  const frozen: Promise<void> = until.then(() => {
    if (body.frozen === frozen) body.frozen = undefined
  })
  body.frozen = frozen
}

function around(body: Body, at: Pick<Boundary, 'deed' | 'what'>, work: () => unknown): unknown {
  const held = pass(body, { when: 'before', ...at })
  return held ? held.then(() => perform(body, at, work)) : perform(body, at, work)
}

function perform(body: Body, at: Pick<Boundary, 'deed' | 'what'>, work: () => unknown): unknown {
  const leave = (answer: () => unknown): unknown => {
    body.busy -= 1
    const held = pass(body, { when: 'after', ...at })
    return held ? held.then(answer) : answer()
  }
  body.busy += 1
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

/** Whether a value is something to wait for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** The clock of the process: a dead one has no timers, and those of a frozen one ring when it thaws. */
function clockOf(body: Body): Clock {
  const { clock, skew = 0, stirred } = body.options
  return {
    now: () => clock.now() + skew,
    at(time, ring) {
      if (body.dead) return () => {}
      let cancelled = false
      const due = (): void => {
        body.timers.delete(cancel)
        const held = gate(body)
        // Timers of a process that thaws ring one by one, as they do on any platform.
        if (held) return void held.then(() => setImmediate(due))
        if (cancelled) return
        stirred()
        ring()
      }
      const stop = clock.at(time - skew, due)
      const cancel = (): void => {
        cancelled = true
        body.timers.delete(cancel)
        stop()
      }
      body.timers.add(cancel)
      return cancel
    },
  }
}
