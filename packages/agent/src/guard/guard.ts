/** Guards: code that looks at what comes in and what goes out, before it is stored. */
import { type Expected, expected, nearest } from '../platform/expected.ts'

/** What a guard says of a text: another text, that it may not pass, that a person decides, or a warning; nothing lets it pass. */
export type GuardVerdict =
  | {
      /** Stands in place of the text, everywhere. */
      readonly rewrite: string
    }
  | {
      /** Why the text may not pass. */
      readonly block: string
    }
  | {
      /** What a person is asked. */
      readonly ask: string
    }
  | {
      /** What people should know; the text passes. */
      readonly warn: string
    }
  | undefined
  | void

/** Where a text stands. */
export interface GuardedPlace {
  /** The id of the thread. */
  readonly thread: string
  /** Whether it is an input, the result of a call, or what the model writes. */
  readonly at: 'input' | 'result' | 'output'
  /** The tool whose result it is. */
  readonly tool?: string
  /** The step of its body that came to it. */
  readonly step?: string
  /** The name under which it stands in a result that is JSON. */
  readonly name?: string
}

/** Looks at what the model writes while it is written. */
export interface GuardStream {
  /** Takes a piece; returns what can be shown now, or why the reply is blocked. */
  push(piece: string): string | { readonly block: string }
  /** The text has ended; returns the rest. */
  end(): string | { readonly block: string }
}

/** Looks at a text. */
export type LookAt = (text: string, place: GuardedPlace) => GuardVerdict | Promise<GuardVerdict>

/** A guard: any of the four methods. The guards of an agent are asked in order, and each sees what those before it have left. */
export interface Guard {
  /** Its name in records and messages. */
  readonly name: string
  /** Looks at what users and other programs say, before it is stored. */
  readonly input?: LookAt
  /** Looks at the result of a call, before it is stored; at each text of one that is JSON. */
  readonly result?: LookAt
  /** Looks at a whole text of the model, before it is shown and stored. */
  readonly output?: LookAt
  /** Looks at it in pieces instead, so that less is held back. */
  readonly stream?: (place: GuardedPlace) => GuardStream
  /** What happens when the guard throws or does not answer in time: `block` (default), or `pass`. */
  readonly onError?: 'block' | 'pass'
}

/** What a guard said of a text, as it is recorded. */
export type GuardNote = {
  /** The name of the guard. */
  readonly guard: string
  /** What it said. */
  readonly verdict: 'rewrite' | 'block' | 'ask' | 'warn'
  /** Why, in its words. */
  readonly reason?: string
}

/** What stands in place of a text that a guard has blocked. */
export const withheldText = (guard: string, reason: string): string => `[withheld by the guard ${guard}: ${reason}]`

const shape = {
  name: expected.required(expected.name),
  input: expected.function,
  result: expected.function,
  output: expected.function,
  stream: expected.function,
  onError: expected.oneOf('block', 'pass'),
}

const methods = ['input', 'result', 'output', 'stream'] as const

/** What the guards of an agent must be. */
export const guardsShape: Expected = expected.list(
  { words: 'a guard', fits: isGuard },
  `a list of guards: objects with a name and any of ${methods.join(', ')}; besides, onError`,
)

/** A guard may have other methods, for programs; one that looks like one of these and is none guards nothing. */
function isGuard(value: unknown): boolean {
  if (!expected.object.fits(value)) return false
  const given = Object.entries(value as object)
  const fits = given.every(([key, field]) => {
    if (!Object.hasOwn(shape, key)) return nearest(key, Object.keys(shape)) === undefined
    return field === undefined || shape[key as keyof typeof shape].fits(field)
  })
  // One that looks at nothing guards nothing.
  return fits && Object.hasOwn(value as object, 'name') && methods.some((method) => (value as Partial<Guard>)[method] !== undefined)
}
