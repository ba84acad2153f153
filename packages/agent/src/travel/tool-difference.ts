/** How two lists of tools differ: which tools are new, gone, or described otherwise. */
import { canonicalJson, type ToolSpec } from '@loom-agent/kernel'
import { type Difference, diffFrames } from './diff-frames.ts'
import type { ToolDifference, ToolNames } from './replay-types.ts'

/** How the tools of one turn differ, by name and in detail. */
export interface ToolsCompared {
  readonly names: ToolNames
  readonly differences: readonly ToolDifference[]
}

/** Tools that a turn names, at most, of those that are new, gone or changed. */
const mostNamed = 20

/** Compares lists of tools. Threads send the same lists again: a pair that was compared last is not compared again. */
export function createToolComparison(): (was: readonly ToolSpec[], would: readonly ToolSpec[]) => ToolsCompared | undefined {
  let last: { was: readonly ToolSpec[]; would: readonly ToolSpec[]; found: ToolsCompared | undefined } | undefined
  return (was, would) => {
    if (!last || last.was !== was || last.would !== would) last = { was, would, found: compareTools(was, would) }
    return last.found
  }
}

function compareTools(was: readonly ToolSpec[], would: readonly ToolSpec[]): ToolsCompared | undefined {
  if (was === would || JSON.stringify(was) === JSON.stringify(would)) return undefined
  const before = new Map(was.map((spec) => [spec.name, spec]))
  const after = new Map(would.map((spec) => [spec.name, spec]))
  const removed = [...before.keys()].filter((name) => !after.has(name))
  const added = [...after.keys()].filter((name) => !before.has(name))
  const changed = [...before.values()].flatMap((spec) => changeOf(spec, after.get(spec.name)))
  const isReordered = removed.length + added.length + changed.length === 0
  return {
    names: {
      added: added.slice(0, mostNamed),
      removed: removed.slice(0, mostNamed),
      changed: changed.slice(0, mostNamed).map(({ name }) => name),
      isReordered,
      more: [added, removed, changed].reduce((sum, { length }) => sum + Math.max(0, length - mostNamed), 0),
    },
    differences: [
      ...removed.map((name) => ({ kind: 'removed', name }) as const),
      ...added.map((name) => ({ kind: 'added', name }) as const),
      ...changed,
      ...(isReordered ? [{ kind: 'reordered', name: was.map(({ name }) => name).join(', ') } as const] : []),
    ],
  }
}

/** What differs about one tool; nothing where only the order of its fields does. */
function changeOf(was: ToolSpec, would: ToolSpec | undefined): readonly ToolDifference[] {
  if (!would || canonicalJson(was) === canonicalJson(would)) return []
  const hasOther = was.description !== would.description
  const schema = diffFrames(was.schema, would.schema).filter(isDifference)
  return [
    {
      kind: 'changed',
      name: was.name,
      ...(hasOther && { description: { recorded: was.description ?? '', replayed: would.description ?? '' } }),
      ...(schema.length > 0 && { schema }),
    },
  ]
}

const isDifference = ({ before, after }: Difference): boolean => JSON.stringify(before) !== JSON.stringify(after)
