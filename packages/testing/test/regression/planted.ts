/** What planted divergences are made of. */
import type { Tool } from '@loom-agent/agent'
import { type ErasedDefinition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import { scenes } from './all-scenes.ts'
import type { Options, Scene } from './scenes.ts'

/** A change, the step at which it must be told, and both values. */
export interface Planted {
  readonly what: string
  readonly scene: Scene
  readonly changed: Options
  readonly step: string
  readonly recorded: unknown
  readonly now: unknown
}

/** The scene of a name. */
export function scene(name: string): Scene {
  const found = scenes.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no scene ${name}.`)
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
