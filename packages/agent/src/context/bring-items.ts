/**
 * The items that calls of tools ask for: the text of a skill that was opened, and the list of tasks when it has left the context. Loaded on use.
 *
 * BRING-1. A skill that is shown is not shown twice, and one that was opened is shown in the next request.
 * BRING-2. After every rebase the list of tasks stands in the context: in the call that set it, or in an item.
 */
import { at, type ContextItem, type Draft, type Entry, type EventData, type Frame, type Segment } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'
import type { Assembly, AssemblyRequest } from './assembly.ts'
import type { Brought } from './brought.ts'
import { listOf } from './todo-list.ts'

/** The events of an assembly, with the items that tools bring. */
export function bringItems(drafts: readonly Draft[], { source, assembly, frame }: AssemblyRequest): readonly Draft[] {
  const last = drafts.at(-1)
  if (last?.type !== 'context.assembled') return drafts
  const { brought } = source.toolbox
  const data: EventData['context.assembled'] = last.data
  const segments = data.rebase ? (data.rebase.segments ?? []) : frame.context.segments
  const shown = { frame, segments, added: data.items ?? [] }
  const items = [...openedItems(brought, shown), ...(data.rebase ? todoItems(brought, shown, assembly) : [])]
  if (items.length === 0) return drafts
  return [...drafts.slice(0, -1), { type: 'context.assembled', data: { ...data, items: [...shown.added, ...(toJson(items) as typeof items)] } }]
}

/** The context that is being assembled. */
interface Shown {
  readonly frame: Frame
  readonly segments: readonly Segment[]
  /** The items of the strategy. */
  readonly added: readonly ContextItem[]
}

/** Whether an entry is shown as it is, or with its results cut. */
function isShown(index: number, segments: readonly Segment[]): boolean {
  return (segments.find(({ to }) => index < to)?.as ?? 'kept') === 'kept'
}

/** What the calls have opened whose results the model has not been sent yet. */
function openedItems(brought: readonly Brought[], shown: Shown): readonly ContextItem[] {
  const { history, context } = shown.frame
  const items = new Map<string, ContextItem>()
  for (let index = context.covered; index < history.length; index += 1) {
    const { message, calls = [] } = at(history, index) as Entry
    calls.forEach(({ input, outcome, start }, place) => {
      const name = message.role === 'tool' ? message.results[place]?.name : undefined
      const isDone = start !== undefined && outcome.status === 'success'
      const item = isDone ? brought.find(({ tool }) => tool === name)?.opens?.(input) : undefined
      if (item) items.set(item.id, item)
    })
  }
  return [...items.values()].filter((item) => !isItemShown(item, shown))
}

/** Whether an item with the same text is in the context. Looked for only when one is to be added. */
function isItemShown({ kind, id, text }: ContextItem, { frame: { history }, segments, added }: Shown): boolean {
  const isSame = (other: ContextItem | undefined): boolean => other?.kind === kind && other.id === id && other.text === text
  if (added.some(isSame)) return true
  for (let index = history.length - 1; index >= 0; index -= 1) if (isSame(at(history, index)?.item) && isShown(index, segments)) return true
  return false
}

/** The list of tasks, where neither the call that set it nor an item shows it. */
function todoItems(brought: readonly Brought[], shown: Shown, assembly: Assembly): readonly ContextItem[] {
  const list = listOf(brought, shown.frame, assembly)
  const show = brought.find(({ showTodos }) => showTodos)?.showTodos
  if (!list || !show || list.todos.length === 0 || isShown(list.entry, shown.segments)) return []
  const item: ContextItem = { kind: 'todo', id: 'todo', origin: 'loom', text: show(list.todos) }
  return isItemShown(item, shown) ? [] : [item]
}
