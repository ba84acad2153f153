/** What makes a tool the same one: an approval holds for no other. */
import type { JsonObject } from '@loom-agent/kernel'
import type { ReadyTool } from '../tool/toolbox.ts'

/** The parts of a definition that decide what arguments mean and what running them does. */
export function toolIdentity({ name, ruleName, spec, effect, definition }: Omit<ReadyTool, 'serial'>): JsonObject {
  const { version } = definition
  return { name, schema: spec.schema, effect, ...(ruleName !== undefined && { ruleName }), ...(version !== undefined && { version }) }
}
