/** The tool with which a model keeps its list of tasks. */

import { frameworkTexts } from '../context/texts.ts'
import { readTodos, type Todo, todoStatuses } from '../context/todos.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { jsonSchema } from '../types/schema.ts'
import { bringingTool, textBy } from './bringing-tool.ts'
import type { Tool } from './define.ts'

/** How a list of tasks is kept. */
export interface TodoOptions {
  /** The name of the tool; default `todo`. */
  readonly name?: string
  /** The text of the list where it is shown again; default: one line for each task. */
  readonly show?: (todos: readonly Todo[]) => string
}

/** The most tasks of a list, and the longest text of one. A list is shown again after a cut, so it must be small. */
const mostTasks = 50
const longestText = 300

/**
 * The tool with which a model keeps its list of tasks. The list is part of the journal: `todosOf(frame)` reads it, `reminders()` reminds of a list that was
 * not looked at for long, and a rebase that leaves the list out shows it again.
 *
 * @example
 * agent({ tools: [todo()], context: pipeline(compress(), reminders()) })
 */
export function todo(options: TodoOptions = {}): Tool {
  checkOptions('todo()', options, { name: expected.name, show: expected.function })
  const { name = 'todo', show = frameworkTexts.todos } = options
  return bringingTool({
    name,
    description: 'Sets the list of tasks: every task with its status. At most one task is in progress.',
    input: createInput(),
    run: (given) => countsOf(checked(readTodos(given) ?? [])),
    brings: (tool) => ({
      tool,
      layers: [{ name: 'framework', origin: 'loom', text: frameworkTexts.keepTodos(tool) }],
      showTodos: (todos) => textBy('todo()', () => show(todos)),
    }),
  })
}

/** Throws what the model is to do about a list that cannot be kept. */
function checked(todos: readonly Todo[]): readonly Todo[] {
  const working = todos.filter(({ status }) => status === 'in_progress')
  if (working.length > 1) throw new Error(`${working.length} tasks are in progress, and at most one can be. Set the others to pending or done.`)
  const twice = todos.find(({ id }, index) => todos.findIndex((other) => other.id === id) !== index)
  if (twice) throw new Error(`Two tasks have the id "${twice.id}". Give each task its own id, or none.`)
  const blank = todos.findIndex(({ text }) => text.trim() === '')
  if (blank >= 0) throw new Error(`Task ${blank + 1} has a blank text. Say what is to be done.`)
  return todos
}

function countsOf(todos: readonly Todo[]): string {
  const counts = todoStatuses.map((status) => `${todos.filter((one) => one.status === status).length} ${status.replace('_', ' ')}`)
  return todos.length === 0 ? 'The list is empty.' : `The list has ${todos.length} ${todos.length === 1 ? 'task' : 'tasks'}: ${counts.join(', ')}.`
}

/** What the model gives. */
interface GivenList {
  readonly todos: readonly (Omit<Todo, 'id'> & Partial<Pick<Todo, 'id'>>)[]
}

/** The schema of the arguments. Made on use: nothing happens on import. */
const createInput = (): ReturnType<typeof jsonSchema<GivenList>> =>
  jsonSchema<GivenList>({
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        maxItems: mostTasks,
        description: 'All tasks, in order. They take the place of the list so far.',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', minLength: 1, maxLength: 64 },
            text: { type: 'string', minLength: 1, maxLength: longestText },
            status: { type: 'string', enum: [...todoStatuses] },
          },
          required: ['text', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['todos'],
    additionalProperties: false,
  })
