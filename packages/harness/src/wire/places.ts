/** Values of a request by their places: the one way in which rules look at a body. */
import { type Loose, loose } from './loose.ts'
import type { Check, Refusal, WireRequest } from './wire.ts'

/** A value and its place. */
export interface Placed {
  /** An empty object for a value that is no object. */
  readonly value: Loose
  readonly at: string
}

/**
 * The values at a pattern such as `messages[*].tool_calls[*]` or `messages.*.content.*`. Each place is written as its pattern is: vendors differ.
 * The empty pattern is the body itself.
 */
export function valuesAt(body: unknown, pattern: string): readonly Placed[] {
  let found: readonly { readonly value: unknown; readonly at: string }[] = [{ value: body, at: '' }]
  for (const [step, key = ''] of pattern.matchAll(/[.[]?(\*|\w+)\]?/g)) {
    found = found.flatMap(({ value, at }) => {
      if (key !== '*') return [{ value: loose(value)[key], at: at + step }]
      return Array.isArray(value) ? value.map((item: unknown, index) => ({ value: item, at: at + step.replace('*', String(index)) })) : []
    })
  }
  return found.map(({ value, at }) => ({ value: loose(value), at }))
}

/** The first refusal of a list of things. */
export function firstRefusal<T>(things: readonly T[], check: (thing: T, index: number) => Refusal): Refusal {
  for (const [index, thing] of things.entries()) {
    const refusal = check(thing, index)
    if (refusal) return refusal
  }
  return undefined
}

/** Checks every value at a pattern. */
export const each =
  (pattern: string, check: (value: Loose, at: string, request: WireRequest) => Refusal): Check =>
  (request) =>
    firstRefusal(valuesAt(request.body, pattern), ({ value, at }) => check(value, at, request))

/** Checks the body as a whole. */
export const onBody = (check: (body: Loose, request: WireRequest) => Refusal): Check => each('', (body, _, request) => check(body, request))
