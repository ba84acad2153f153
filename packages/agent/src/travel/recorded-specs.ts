/** The tools that a replay shows. */
import type { ToolSpec } from '@loom-agent/kernel'
import { readMoreName, readMoreTool } from '../tool/read-more-tool.ts'
import type { Toolbox } from '../tool/toolbox.ts'

/** What the model is shown, with Loom's own tool where a record lists it: whether it is listed follows from the strategy, and says nothing about the tools. */
export function specsAs({ tools, specs }: Toolbox, recorded: readonly ToolSpec[]): readonly ToolSpec[] {
  const isListed = recorded.some(({ name }) => name === readMoreName) && !tools.has(readMoreName)
  return isListed ? [...specs, readMoreTool().spec] : specs
}
