/**
 * What an input holds that others wrote, or that is private, as its caller says.
 *
 * TAINT-4. Only the caller says where an input comes from: nothing in its text does. What was said is recorded with the input, and its thread has read it.
 */
import { addTaint, LoomError, type Taint } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'
import { jsonText } from '../platform/normalize.ts'
import { shortLine } from '../platform/short-line.ts'
import { labelsShape, type TaintLabel, taintLabels } from './taint-label.ts'

/** What an input or a part of one holds: labels, or by label what people are told that it is, such as `{ untrusted: 'a mail of eve@example.com' }`. */
export type InputTaint = TaintLabel | readonly TaintLabel[] | { readonly [Label in TaintLabel]?: string }

/** What may have been marked: an input in any of its forms. */
type Marked = string | readonly { readonly taint?: unknown; readonly content?: unknown; readonly name?: unknown }[]

const isByLabel = (value: unknown): boolean =>
  expected.object.fits(value) &&
  Object.entries(value as object).every(([key, words]) => (taintLabels as readonly string[]).includes(key) && expected.name.fits(words ?? 'absent'))

/** What the taint of an input must be. */
export const inputTaintShape: Expected = {
  words: `${labelsShape.words}, or by label what it is: { untrusted: 'a mail' }`,
  fits: (value) => labelsShape.fits(value) || isByLabel(value),
}

/** The longest words that are recorded. */
const longestWords = 200

/** What an input holds: what its caller says of all of it, then what is said of its parts. */
export function taintOfInput(input: Marked, given: InputTaint | undefined): Taint | undefined {
  return addTaint(taintAs(given, 'the input'), taintOfParts(input))
}

/** What is said of parts, and of the parts of messages. */
export function taintOfParts(input: Marked, otherwise = 'the input'): Taint | undefined {
  if (typeof input === 'string') return undefined
  let taint: Taint | undefined
  for (const { taint: given, content, name } of input) {
    if (Array.isArray(content)) taint = addTaint(taint, taintOfParts(content as Marked, otherwise))
    if (given === undefined) continue
    if (!inputTaintShape.fits(given)) throw invalid(given)
    taint = addTaint(taint, taintAs(given as InputTaint, typeof name === 'string' ? `the file ${name}` : otherwise))
  }
  return taint
}

/** What is said of a thing, which is `what` in words unless it is said otherwise. */
export function taintAs(given: InputTaint | undefined, what: string): Taint | undefined {
  if (given === undefined) return undefined
  const labels = typeof given === 'string' || Array.isArray(given) ? Object.fromEntries([given].flat().map((label) => [label, what])) : given
  const items = Object.entries(labels as Readonly<Record<string, string | undefined>>).flatMap(([label, words]) =>
    words === undefined ? [] : [[label, { what: shortLine(words, longestWords) }] as const],
  )
  return items.length > 0 ? Object.fromEntries(items) : undefined
}

/** What was recorded, as somebody says it again. */
export const saidOf = ({ untrusted, private: secret }: Taint): InputTaint => ({
  ...(untrusted && { untrusted: untrusted.what }),
  ...(secret && { private: secret.what }),
})

function invalid(given: unknown): LoomError {
  const shown = jsonText(given).slice(0, 80)
  return new LoomError('LOOM_INPUT_INVALID', `This input cannot be used: the taint of a part is ${shown}. Give ${inputTaintShape.words}.`, {
    context: { taint: shown },
  })
}
