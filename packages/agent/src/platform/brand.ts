/**
 * Brands: how Loom knows what its own functions made.
 *
 * BAND-1. What a function of Loom makes for Loom to recognise (content, decisions of hooks, tools, agents, errors) is known by a symbol. JSON carries no
 *     symbols: what a tool, a model, a child, a hook or a person passes on as data is data, whatever it looks like.
 */

/** Marks objects, and finds the mark again: also on a copy of the fields, and across copies of this package. */
export interface Brand {
  /** Marks an object that Loom has just made, and returns it. */
  mark<T extends object>(made: T): T
  /** Whether a value is marked. */
  has(value: unknown): boolean
}

/** The brand of this name. */
export function createBrand(name: string): Brand {
  const key = Symbol.for(`loom.${name}`)
  return {
    mark: (made) => Object.assign(made, { [key]: true }),
    has: (value) => typeof value === 'object' && value !== null && Object.hasOwn(value, key),
  }
}
