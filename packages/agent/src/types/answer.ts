/** Answers to questions, as users give them. */
import type { Answer, Json, Limits } from '@loom-agent/kernel'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { toJson, toText } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { toLimits } from './limits.ts'
import { isSchema, type Recorded, type Schema } from './schema.ts'

export type { Answer }

/** An answer together with its author. */
export interface SignedAnswer {
  /** What settles the question. */
  readonly answer: Answer
  /** The author; needed where several people must approve. */
  readonly by?: string | undefined
}

/** Approves: the call runs, with `scope` also later calls of the same tool on the thread; a limit is raised by its original value, or to `limits`. */
export function approve(options: { scope?: 'thread'; limits?: Limits; by?: string } = {}): SignedAnswer {
  checkOptions('approve', options, { scope: expected.oneOf('thread'), limits: expected.object, by: expected.text })
  const { by, ...given } = options
  if (given.limits) toLimits('approve', given.limits)
  return { answer: { kind: 'approve', ...given }, by }
}

function authorOf(what: string, options: { by?: string }): string | undefined {
  checkOptions(what, options, { by: expected.text })
  return options.by
}

/** Approves a call with other arguments. */
export function edit(input: unknown, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'edit', input: toJson(input) }, by: authorOf('edit', options) }
}

/** Rejects. The model sees the reason and may try something else. */
export function reject(reason?: string, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'reject', ...(reason !== undefined && { reason: toText(reason) }) }, by: authorOf('reject', options) }
}

/** Gives the result; nothing is run. */
export function respond(value: unknown, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'respond', value: toJson(value) }, by: authorOf('respond', options) }
}

/** An answer to a question with a schema: the value of a `respond` is what the schema accepts. */
export type AnswerTo<S extends Schema> = Exclude<Answer, { kind: 'respond' }> | { readonly kind: 'respond'; readonly value: Given<S> }

type Given<S extends Schema> = unknown extends StandardSchemaV1.InferInput<S> ? Json : Recorded<StandardSchemaV1.InferInput<S>>

/** How a durable body may ask. */
export interface AskOptions<S extends Schema = Schema> {
  /** Distinguishes several questions of one body; default: their order. */
  readonly name?: string
  /** Shown with the question: what it is about. */
  readonly show?: Json
  /** What a `respond` must fit; types its value. */
  readonly schema?: S
  /** Milliseconds after which a missing answer counts as a rejection; default: never. */
  readonly expires?: number
  /** How many people must approve; default 1. */
  readonly approvers?: number
}

/** What the options of a question must be. */
export const askShape: Shape & Record<keyof AskOptions, Expected> = {
  name: expected.text,
  show: expected.anything,
  schema: { words: 'a Standard Schema (zod, valibot, ...) or jsonSchema(...)', fits: isSchema },
  expires: { ...expected.finite(0), words: 'milliseconds, not negative' },
  approvers: { ...expected.whole(1), words: 'a count of people' },
}
