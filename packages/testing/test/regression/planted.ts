/** Planted divergences, and helpers to write them. */
import type { Tool } from '@loom-agent/agent'
import { type ErasedDefinition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
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

/** A value whose JSON fits a pattern. */
export function like(pattern: RegExp): { asymmetricMatch(value: unknown): boolean; toString(): string } {
  return { asymmetricMatch: (value) => pattern.test(JSON.stringify(value) ?? ''), toString: () => String(pattern) }
}
