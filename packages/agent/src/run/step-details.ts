/**
 * What a result says about the turns of its run.
 *
 * RESULT-1. The turns are put together when they are first looked at, from the history in memory: a caller that does not look pays nothing, and no
 *     result reads the journal.
 */
import { emptyList } from '@loom-agent/kernel'
import type { StepDetails } from '../types/result.ts'
import { type StepFacts, stepsOf } from './steps.ts'

/** The facts of a run without a turn. */
export const noSteps: StepFacts = { history: emptyList(), firstTurn: 1, calls: emptyList() }

/** What `console.log` of Node and others calls to show a value. */
const inspected = Symbol.for('nodejs.util.inspect.custom')

/** Adds the turns of a run to its result. */
export function withDetails<R extends object>(result: R, facts: StepFacts): R & StepDetails {
  const { history, firstTurn, calls } = facts
  const steps = once(() => stepsOf({ history, firstTurn, calls }))
  Object.defineProperties(result, {
    steps: shown(steps),
    warnings: shown(once(() => distinct(steps().flatMap(({ warnings }) => warnings)))),
    sources: shown(once(() => distinct(steps().flatMap(({ sources }) => sources)))),
    files: shown(once(() => steps().flatMap(({ files }) => files))),
    // A getter would be shown as one, without its value.
    [inspected]: { value: () => ({ ...result }) },
  })
  return result as R & StepDetails
}

const shown = (get: () => unknown): PropertyDescriptor => ({ enumerable: true, get })

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
