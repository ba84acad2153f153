/** The world outside, as one process reaches it. */
import type { EffectBook } from './effect-book.ts'
import type { MortalProcess } from './mortal-process.ts'

/** A view of the outside in which every method is a deed of the process: what a dead process still calls never arrives. */
export function outsideView<W extends object>(outside: W, process: MortalProcess, book: EffectBook): W {
  return new Proxy(outside, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown =>
        process.around('outside', String(property), () => {
          book.reach(String(property), args)
          return Reflect.apply(value, target, args) as unknown
        })
    },
    set: (target, property, value) => process.isDead() || Reflect.set(target, property, value),
  })
}

/** An outside that counts: enough for most scenarios. A process that stands still hears of what it did later. */
export interface CountingOutside {
  /** How often each thing was done. */
  readonly done: Record<string, number>
  /** What was done under each key. */
  readonly keys: Record<string, string>
  /** Does something, each time anew; answers that it is done. */
  act(what: string): string | Promise<string>
  /** Does something once for each key. */
  put(what: string, key: string): string | Promise<string>
  /** Whether something was done under the key. */
  has(key: string): boolean | Promise<boolean>
  /** Counts something that nobody minds: how often a model was asked, how often somebody looked. */
  tick(what: string): number
}

/** An outside in which nothing was done yet. */
export function countingOutside(): CountingOutside {
  const ticks = new Map<string, number>()
  const outside: CountingOutside = {
    done: {},
    keys: {},
    act(what) {
      outside.done[what] = (outside.done[what] ?? 0) + 1
      return `${what} is done`
    },
    put(what, key) {
      if (outside.keys[key] === undefined) void outside.act(what)
      outside.keys[key] = what
      return `${what} is done`
    },
    has: (key) => outside.keys[key] !== undefined,
    tick(what) {
      const count = (ticks.get(what) ?? 0) + 1
      ticks.set(what, count)
      return count
    },
  }
  return outside
}
