/**
 * Results of tools that have several parts.
 *
 * BAND-1. What a function of Loom makes for Loom to recognise is known by a symbol (content, decisions of hooks, errors), by its code (tools) or by its
 *     identity (agents). JSON carries none of them: what a tool, a model, a child, a hook or a person passes on as data is data, whatever it looks like.
 */
import type { Part } from '@loom-agent/kernel'
import { contentParts, type OutputLimits } from './content-parts.ts'
import type { InputPart } from './input.ts'

/** A result of several parts, such as text and images. Only `content()` makes one: an object with these fields is data. */
export interface Content {
  readonly kind: 'content'
  /** The parts, in the order in which the model reads them. */
  readonly parts: readonly InputPart[]
}

/** The brand (BAND-1). Its value reads the parts: it comes with `content()`, so that programs without such results do not bundle it. */
const brand = Symbol.for('loom.content')

/** Makes a result of several parts, such as text and images. */
export function content(parts: readonly InputPart[]): Content {
  return Object.assign({ kind: 'content', parts } as const, { [brand]: contentParts })
}

/** Whether `content()` made a value. */
export function isContent(value: unknown): value is Content {
  return Object.hasOwn(Object(value) as object, brand)
}

/** The parts of a content, within the limits. */
export function partsWithin(made: Content, limits: OutputLimits): readonly Part[] {
  return (Reflect.get(made, brand) as typeof contentParts)(made.parts, limits)
}
