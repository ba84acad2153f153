/**
 * The list of tasks of a thread.
 *
 * TODO-1. The list is a fold over the journal: the arguments of the latest call of its tool that succeeded. No process keeps it, so forks, replays and
 *     other processes have the same one.
 */
import { at, type Entry, type Frame } from '@loom-agent/kernel'

/** How far a task is. */
export type TodoStatus = 'pending' | 'in_progress' | 'done'

/** A task of the list. */
export interface Todo {
  /** Its id: as the model gave it, or its place in the list. */
  readonly id: string
  /** What is to be done. */
  readonly text: string
  /** How far it is. */
  readonly status: TodoStatus
}

/** The list of tasks, and when it was set. */
export interface TodoList {
  /** The tasks, in order. */
  readonly todos: readonly Todo[]
  /** The turn of the call that set them. */
  readonly turn: number
  /** The index of the entry in the history that has the result of that call. */
  readonly entry: number
}

/** Every status. */
export const todoStatuses: readonly TodoStatus[] = ['pending', 'in_progress', 'done']

/** The tasks in the arguments of a call; undefined where they have another form. A task without an id gets the first number that no other has. */
export function readTodos(input: unknown): readonly Todo[] | undefined {
  const given: unknown = (input as { readonly todos?: unknown } | null | undefined)?.todos
  if (!Array.isArray(given) || !given.every(isTask)) return undefined
  const taken = new Set(given.map(({ id }) => id))
  return given.map(({ id, text, status }, index) => ({ id: id ?? freeId(taken, index), text, status }))
}

interface GivenTask extends Omit<Todo, 'id'> {
  readonly id?: string
}

function isTask(value: unknown): value is GivenTask {
  const { id, text, status } = (value ?? {}) as { readonly [key: string]: unknown }
  return (id === undefined || typeof id === 'string') && typeof text === 'string' && (todoStatuses as readonly unknown[]).includes(status)
}

function freeId(taken: Set<string | undefined>, index: number): string {
  let number = index + 1
  while (taken.has(String(number))) number += 1
  taken.add(String(number))
  return String(number)
}

/** Whether a task is not done. */
export const isOpen = ({ status }: Todo): boolean => status !== 'done'

/** What was read of a history so far. Each entry is looked at once. */
export interface TodoReading {
  read: number
  list: TodoList | undefined
}

/** Takes in the entries that are new, and returns the latest list; `isTodo` tells the tool by its name. */
export function readList(reading: TodoReading, { history }: Frame, isTodo: (tool: string) => boolean): TodoList | undefined {
  for (; reading.read < history.length; reading.read += 1) {
    reading.list = listIn(at(history, reading.read) as Entry, reading.read, isTodo) ?? reading.list
  }
  return reading.list
}

/** The list that the last fitting call of an entry has set. */
function listIn({ message, calls = [] }: Entry, entry: number, isTodo: (tool: string) => boolean): TodoList | undefined {
  if (message.role !== 'tool') return undefined
  for (let index = calls.length - 1; index >= 0; index -= 1) {
    const { input, outcome, start } = calls[index] as NonNullable<Entry['calls']>[number]
    const { name = '', call = '' } = message.results[index] ?? {}
    const isSet = start !== undefined && outcome.status === 'success' && isTodo(name)
    const todos = isSet ? readTodos(input) : undefined
    // The id of a call begins with its turn; its result may have entered the history in a later one.
    if (todos) return { todos, turn: Number.parseInt(call, 10), entry }
  }
  return undefined
}

/**
 * The list of tasks of a thread at a moment; undefined when there is none.
 *
 * @example
 * const list = todosOf(await frameOf(journal, 'user-123@42'))
 * console.log(list?.todos.filter(({ status }) => status !== 'done'))
 */
export function todosOf({ history }: Frame, tool = 'todo'): TodoList | undefined {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const list = listIn(at(history, index) as Entry, index, (name) => name === tool)
    if (list) return list
  }
  return undefined
}
