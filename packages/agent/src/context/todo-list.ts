/** The list of tasks of the thread that is assembled. */
import type { Frame } from '@loom-agent/kernel'
import type { Assembly } from './assembly.ts'
import type { Brought } from './brought.ts'
import { readList, type TodoList } from './todos.ts'

/** The list of tasks that the tools of an agent have set; undefined where there is none. Each entry is looked at once by a driver. */
export function listOf(brought: readonly Brought[], frame: Frame, assembly: Assembly): TodoList | undefined {
  const tools = brought.flatMap(({ tool, showTodos }) => (showTodos ? [tool] : []))
  if (tools.length === 0) return undefined
  assembly.todos ??= { read: 0, list: undefined }
  return readList(assembly.todos, frame, (tool) => tools.includes(tool))
}
