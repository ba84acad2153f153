/** Results of tools that have several parts. */
import type { InputPart } from './input.ts'

/** A result of several parts, such as text and images. */
export interface Content {
  readonly kind: 'content'
  /** The parts, in the order in which the model reads them. */
  readonly parts: readonly InputPart[]
}

/** Makes a result of several parts, such as text and images. */
export function content(parts: readonly InputPart[]): Content {
  return { kind: 'content', parts }
}
