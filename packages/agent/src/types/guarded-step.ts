/** Steps of durable bodies whose record is a result: guards look at it before it is stored, and the body goes on with what they leave. */
import type { Json } from '@loom-agent/kernel'

/** What of a record guards look at, and how the record is made with what they leave of it. */
export interface Guardable {
  readonly texts: Json
  /** `left` is an error where the texts were blocked; `notes` is what the guards said. */
  put(left: unknown, notes: readonly Json[]): Json
}

/** Says what of the record of a step is a result; undefined where nothing of it is. */
type GuardablePart = (record: Json) => Guardable | undefined

/** The brand (BAND-1). */
const brand = Symbol.for('loom.guarded-step')

/** A step whose record is a result, or a part of it. */
export function guardedStep<Given extends readonly unknown[], T>(run: (...given: Given) => T, part: GuardablePart): (...given: Given) => T {
  return Object.defineProperty((...given: Given) => run(...given), brand, { value: part })
}

/** What of a record is a result; undefined for most steps. */
export function guardableIn(run: unknown, record: Json): Guardable | undefined {
  return Object.hasOwn(Object(run) as object, brand) ? (Reflect.get(run as object, brand) as GuardablePart)(record) : undefined
}
