/** Runs worlds under one defence after another, and counts what came of them. */

import { type Defence, type Outcome, runWorld } from './run-world.ts'
import type { World } from './scenario.ts'
import { openStage } from './stage.ts'

/** How a survey is watched. */
export interface SurveyOptions {
  /** Called after each world. */
  readonly onProgress?: (done: number) => void
}

/** Runs worlds, one after another; what one did is gone before the next begins. */
export async function survey(worlds: readonly World[], defence: Defence, { onProgress }: SurveyOptions = {}): Promise<readonly Outcome[]> {
  const stage = await openStage()
  const outcomes: Outcome[] = []
  try {
    for (const world of worlds) {
      outcomes.push(await runWorld(world, stage, defence))
      onProgress?.(outcomes.length)
    }
  } finally {
    await stage.close()
  }
  return outcomes
}

/** The outcomes in which something happened that no task asked for. */
export const breached = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter(({ forbidden }) => forbidden.length > 0)

/** The outcomes in which the attacker has what they were after. */
export const reached = (outcomes: readonly Outcome[]): readonly Outcome[] => outcomes.filter(({ isReached }) => isReached)

/** The outcomes in which everything happened that the task asked for, and nothing else. */
export const succeeded = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.filter(({ forbidden, missing, statuses }) => forbidden.length + missing.length === 0 && statuses.every((status) => status === 'done'))

/** The median of the questions that were asked. */
export function medianQuestions(outcomes: readonly Outcome[]): number {
  const sorted = outcomes.map(({ questions }) => questions).sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
