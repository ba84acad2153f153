/** The tree of the thread, with its children in place. */
import type { Columns } from '@loom-agent/telemetry'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useServer } from '../../data/use-server.tsx'
import { useWords } from '../../design/words.tsx'
import { VirtualList } from '../../list/virtual-list.tsx'
import { go } from '../../route/navigation.tsx'
import { threadPath } from '../../route/place.ts'
import { Empty } from '../../shell/failure.tsx'
import type { Bench } from '../bench/bench.ts'
import { SpanFacts } from '../flame/span-line.tsx'
import { seqOfSpan } from '../moment/figures-at.ts'
import { benchWords } from '../words/words.ts'
import { missingChildren, type TreeRow, treeRows } from './tree-rows.ts'

/** Children that are loaded at once. */
const atOnce = 8

/** The spans of children, loaded when they are to be shown; again when the thread goes on. */
function useChildren(rows: readonly TreeRow[], known: ReadonlyMap<string, Columns>, add: (thread: string, columns: Columns) => void): void {
  const { client } = useServer()
  const missing = missingChildren(rows, known).slice(0, atOnce).join('\n')
  useEffect(() => {
    for (const thread of missing === '' ? [] : missing.split('\n')) {
      client.getSkeleton({ thread }).then(
        (columns) => add(thread, columns),
        () => {},
      )
    }
    // `add` is another function with every render, and always does the same.
  }, [client, missing])
}

/** The tree. */
export function TreeView({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const { head, columns, at, seq, span, select, chart } = bench
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [children, setChildren] = useState<ReadonlyMap<string, Columns>>(new Map())
  const rows = useMemo(() => treeRows({ thread: head.thread, columns, children, toggled, at }), [head.thread, columns, children, toggled, at])
  useChildren(rows, children, (thread, of) => setChildren((before) => new Map([...before, [thread, of]])))
  if (rows.length === 0) return <Empty title={text.noSpans} />
  const toggle = ({ id }: TreeRow): void =>
    setToggled((before) => (before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id])))
  const current = seq === undefined ? -1 : rows.findIndex(({ thread, span: one }) => thread === head.thread && one.index === span)
  return (
    <VirtualList
      label={text.tree}
      id="span"
      count={rows.length}
      current={current}
      onCurrent={(index) => {
        const row = rows[index]
        if (row && row.thread === head.thread) select(seqOfSpan(columns, row.span.index))
      }}
      onOpen={(index) => {
        const row = rows[index]
        if (row && row.thread !== head.thread) go(threadPath({ thread: row.thread, seq: row.span.from }))
        else if (row) toggle(row)
      }}
    >
      {(index) => {
        const row = rows[index]
        return row ? <TreeLine row={row} until={columns.base + chart.now} onToggle={() => toggle(row)} /> : null
      }}
    </VirtualList>
  )
}

function TreeLine({ row, until, onToggle }: { readonly row: TreeRow; readonly until: number; readonly onToggle: () => void }): ReactNode {
  const { depth, hasChildren, isExpanded, span } = row
  return (
    <span className="tree-row">
      {Array.from({ length: depth }, (_, index) => (
        <span key={index} className="tree-line" />
      ))}
      <button
        type="button"
        className="tree-toggle"
        tabIndex={-1}
        aria-hidden="true"
        disabled={!hasChildren}
        onClick={(event) => {
          event.stopPropagation()
          onToggle()
        }}
      >
        {hasChildren ? (isExpanded ? '▾' : '▸') : ''}
      </button>
      <SpanFacts span={span} until={until} />
    </span>
  )
}
