/** The external world: what effects change, and what remains when the process is gone. */
import type { EffectLog } from './effect-log.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** The world as one process reaches it: every method call is an operation of the process, and calls of a dead process never arrive. */
export function worldView<W extends object>(world: W, process: SimulatedProcess, log: EffectLog): W {
  return new Proxy(world, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown =>
        process.around('world', String(property), () => {
          log.call(String(property), args)
          return Reflect.apply(value, target, args) as unknown
        })
    },
    set: (target, property, value) => process.isDead() || Reflect.set(target, property, value),
  })
}

/** A world that counts effects. A frozen process receives its results later, so every method may return a promise. */
export interface ExternalWorld {
  /** How often each effect happened. */
  readonly done: Record<string, number>
  /** The effect that happened under each key. */
  readonly keys: Record<string, string>
  /** Performs an effect each time it is called. */
  act(what: string): string | Promise<string>
  /** Performs an effect once for each key. */
  put(what: string, key: string): string | Promise<string>
  /** Whether an effect happened under the key. */
  has(key: string): boolean | Promise<boolean>
  /** Counts something that is no effect: requests to a model, looks at the world. */
  tick(what: string): number
}

/** A world in which nothing has happened. */
export function externalWorld(): ExternalWorld {
  const ticks = new Map<string, number>()
  const world: ExternalWorld = {
    done: {},
    keys: {},
    act(what) {
      world.done[what] = (world.done[what] ?? 0) + 1
      return `${what} is done`
    },
    put(what, key) {
      if (world.keys[key] === undefined) void world.act(what)
      world.keys[key] = what
      return `${what} is done`
    },
    has: (key) => world.keys[key] !== undefined,
    tick(what) {
      const count = (ticks.get(what) ?? 0) + 1
      ticks.set(what, count)
      return count
    },
  }
  return world
}
