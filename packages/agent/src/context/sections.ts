/** The eight sections of a summary, and how a summary is written and read back. */
import type { ContextSummary } from '@loom-agent/kernel'

/** The sections, in the order in which a summary has them, and the points that each of them is to hold. */
export const sections = {
  background_context: 'what the task is about: people, names, files, numbers and rules that were given',
  key_decisions: 'what was decided, and why; alternatives that were rejected',
  tool_usage_log: 'which tools were called on what, with the ids of calls whose results matter',
  user_intent_evolution: 'what the user asked for, in order, and how it changed',
  execution_results: 'what calls and steps brought: facts, values, names, places',
  errors_and_solutions: 'what failed, why, and what helped',
  open_issues: 'what is not solved, not known or not answered yet',
  future_plans: 'what is to be done next, in order',
} as const

/** The name of a section. */
export type Section = keyof typeof sections

/** The names of the sections, in order. */
export const sectionNames: readonly Section[] = Object.keys(sections) as Section[]

/** The points of each section. */
export type Points = { readonly [S in Section]: readonly string[] }

/** Where a summary stands in its thread. */
export type Covered = Readonly<Pick<ContextSummary, 'from' | 'to'> & { time: number; by: 'model' | 'extract' }>

/**
 * The text of a summary, as the model reads it.
 *
 * SUMMARY-1. It says that it is one, when and how it was made and which events it stands for, so that nobody takes it for what was said.
 */
export function writeSummary(points: Points, { from, to, time, by }: Covered): string {
  const made = `${new Date(time).toISOString()}, by ${by === 'model' ? 'a model' : 'extraction'}`
  const head = `[Summary of events ${from} to ${to} of this conversation, made ${made}. It stands for them; the latest messages follow it.]`
  const body = sectionNames.flatMap((name) => (points[name].length > 0 ? ['', `## ${name}`, ...points[name].map((point) => `- ${point}`)] : []))
  return [head, ...body].join('\n')
}

/** The points of a summary, by section. Lines before the first heading belong to none; a heading that is not known belongs to the section before. */
export function readSummary(text: string): Points {
  const points: Record<Section, string[]> = emptySections()
  let current: Section | undefined
  for (const line of text.split('\n')) {
    const name = line.startsWith('## ') ? sectionNames.find((section) => section === line.slice(3).trim()) : undefined
    if (name) current = name
    else if (current && line.trim() !== '') points[current].push(line.replace(/^[-*] /, '').trim())
  }
  return points
}

/** A list for each section, all of them empty. */
export function emptySections<T>(): Record<Section, T[]> {
  return {
    background_context: [],
    key_decisions: [],
    tool_usage_log: [],
    user_intent_evolution: [],
    execution_results: [],
    errors_and_solutions: [],
    open_issues: [],
    future_plans: [],
  }
}
