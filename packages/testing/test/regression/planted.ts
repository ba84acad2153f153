/** Planted changes of agents: those that a recorded test sees, and those that it cannot see. */
import type { jsonSchema, Tool } from '@loom-agent/agent'
import { type ErasedDefinition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import type { SameRunOptions } from '@loom-agent/testing'
import { scenarios } from './all-scenarios.ts'
import type { Options, Scenario } from './scenarios.ts'

/** A change, the step at which it must be reported, and both values. */
export interface Planted {
  readonly what: string
  readonly scenario: Scenario
  readonly changed: Options
  readonly step: string
  readonly recorded: unknown
  readonly now: unknown
  /** What the test asks for. */
  readonly options?: SameRunOptions
}

/** A change that a recorded test cannot see, and why. */
export interface Unseen {
  readonly what: string
  readonly why: string
  readonly scenario: Scenario
  readonly changed: Options
}

/** The scenario of a name. */
export function scenario(name: string): Scenario {
  const found = scenarios.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no scenario ${name}.`)
  return found
}

/** The tool with some of its definition changed. */
export function changed(given: Tool, definition: Partial<ErasedDefinition>): Tool {
  return redefineTool(given, { ...toolDefinitionOf(given), ...definition })
}

/** The schema that the model is sent for a tool. */
export function schemaOf(given: Tool): Parameters<typeof jsonSchema>[0] {
  const standard = toolDefinitionOf(given).input?.['~standard'] as { jsonSchema?: { input(options: { target: string }): object } } | undefined
  return standard?.jsonSchema?.input({ target: 'draft-07' }) as Parameters<typeof jsonSchema>[0]
}

/** A value whose JSON fits a pattern. */
export function like(pattern: RegExp): { asymmetricMatch(value: unknown): boolean; toString(): string } {
  return { asymmetricMatch: (value) => pattern.test(JSON.stringify(value) ?? ''), toString: () => String(pattern) }
}
