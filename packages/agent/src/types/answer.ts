/** Answers to questions, as people give them. */
import type { Answer, Json, Limits } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import type { Schema } from './schema.ts'

export type { Answer }

/** An answer together with who gave it. */
export interface SignedAnswer {
  /** What settles the question. */
  readonly answer: Answer
  /** Who gave it; needed where several people must approve. */
  readonly by?: string | undefined
}

/** Yes: go ahead, also for the same tool on the whole thread; a limit is raised by as much again or to the given limits. */
export function approve(options: { scope?: 'thread'; limits?: Limits; by?: string } = {}): SignedAnswer {
  const { by, ...given } = options
  return { answer: { kind: 'approve', ...given }, by }
}

/** Yes, but with these arguments. */
export function edit(input: unknown, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'edit', input: toJson(input) }, by: options.by }
}

/** No. The model sees the reason and may try something else. */
export function reject(reason?: string, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'reject', ...(reason !== undefined && { reason }) }, by: options.by }
}

/** Here is the result; nothing is run. */
export function respond(value: unknown, options: { by?: string } = {}): SignedAnswer {
  return { answer: { kind: 'respond', value: toJson(value) }, by: options.by }
}

/** How a durable body may ask. */
export interface AskOptions {
  /** Distinguishes several questions of one body; default: their order. */
  readonly name?: string
  /** Shown with the question: what it is about. */
  readonly show?: Json
  /** What a `respond` must fit. */
  readonly schema?: Schema
  /** Milliseconds after which nobody answering counts as reject. */
  readonly expires?: number
  /** How many people must approve; default 1. */
  readonly approvers?: number
}
