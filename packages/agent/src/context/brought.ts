/** What a tool brings into the context besides itself: layers of the system text, and items that its calls ask for. */
import type { ContextItem } from '@loom-agent/kernel'
import type { LayerText } from './layers.ts'
import type { Todo } from './todos.ts'

/** What one tool brings. */
export interface Brought {
  /** The name of the tool. */
  readonly tool: string
  readonly layers: readonly LayerText[]
  /** The item that a call with these arguments asks for; undefined where it asks for none. */
  readonly opens?: (input: unknown) => ContextItem | undefined
  /** How the list of tasks is shown that the calls of the tool set; absent for tools that set none. */
  readonly showTodos?: (todos: readonly Todo[]) => string
}
