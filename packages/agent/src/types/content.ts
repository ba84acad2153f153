/** Results of tools that have several parts. */
import { createBrand } from '../platform/brand.ts'
import type { InputPart } from './input.ts'

/** A result of several parts, such as text and images. Only `content()` makes one: an object with these fields is data. */
export interface Content {
  readonly kind: 'content'
  /** The parts, in the order in which the model reads them. */
  readonly parts: readonly InputPart[]
}

const brand = createBrand('content')

/** Makes a result of several parts, such as text and images. */
export function content(parts: readonly InputPart[]): Content {
  return brand.mark({ kind: 'content', parts })
}

/** Whether `content()` made a value (BAND-1). */
export function isContent(value: unknown): value is Content {
  return brand.has(value)
}
