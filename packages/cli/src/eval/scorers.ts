/** Scorers that need no model. */
import type { Json } from '@loom-agent/kernel'
import type { EvalAnswer } from './eval-answer.ts'
import type { Scorer } from './evaluation.ts'

const expectedText = (expected: Json | undefined): string => (typeof expected === 'string' ? expected : JSON.stringify(expected ?? null))

/** What a case without an expectation is told. */
const nothingExpected = { score: 0, reason: 'The case says nothing of what is expected.' }

/** Whether the answer contains what the case expects, whatever the case of its letters; of a list, which share of it. */
export const contains =
  (): Scorer =>
  ({ text, expected, status }: EvalAnswer) => {
    if (expected === undefined) return nothingExpected
    if (status !== 'done') return { score: 0, reason: `The run is ${status}.` }
    const wanted = Array.isArray(expected) ? expected.map(expectedText) : [expectedText(expected)]
    const missing = wanted.filter((one) => !text.toLowerCase().includes(one.toLowerCase()))
    const score = wanted.length === 0 ? 1 : (wanted.length - missing.length) / wanted.length
    return missing.length === 0 ? score : { score, reason: `Not in the answer: ${missing.join(', ')}` }
  }

/** Whether the answer is what the case expects: its data where it has some, else its text without outer blanks. */
export const equals =
  (): Scorer =>
  ({ text, output, expected, status }: EvalAnswer) => {
    if (expected === undefined) return nothingExpected
    if (status !== 'done') return { score: 0, reason: `The run is ${status}.` }
    if (typeof expected === 'string') return text.trim() === expected.trim()
    return sortedJson(output ?? null) === sortedJson(expected)
  }

/** Whether the run came to its end. */
export const ended =
  (): Scorer =>
  ({ status }: EvalAnswer) =>
    status === 'done'

/** In a replay: the share of turns whose request would be the same. */
export const unchanged =
  (): Scorer =>
  ({ replay }: EvalAnswer) => {
    if (replay === undefined) return { score: 0, reason: 'Nothing was replayed.' }
    const { turns, differing } = replay
    return differing === 0 ? 1 : { score: (turns - differing) / turns, reason: `${differing} of ${turns} turns differ` }
  }

/** JSON whose keys are in one order. */
function sortedJson(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
