/** The context debugger: which request of a thread showed which entry how, and why. */

import type { ContextMatrix } from '@loom-agent/telemetry'
import { type ReactNode, useMemo } from 'react'
import { useChanges, useLoaded } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { go } from '../route/navigation.tsx'
import { momentOf, type Place } from '../route/place.ts'
import { Empty, Failure, Skeleton } from '../shell/failure.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { choiceOf, columnAt, columnsOf, contextPath, sides } from './choice.ts'
import { ContextHead } from './context-head.tsx'
import { Entries } from './entries.tsx'
import type { Presence } from './facts.ts'
import type { Opened } from './opened.ts'
import { SidePane } from './side-pane.tsx'
import { contextWords } from './words.ts'

/** The page of the context of a thread. */
export function ContextPage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(contextWords)
  const { thread } = momentOf(place.path.split('/')[2] ?? '')
  const { find } = choiceOf(place.query)
  const changes = useChanges((changed) => changed === thread)
  const matrix = useLoaded({ of: `matrix ${thread}`, version: changes, load: (client) => client.getContextMatrix({ thread }, {}) })
  const presence = useLoaded({
    of: `presence ${thread} ${find}`,
    version: changes,
    load: (client) => client.getPresence({ thread }, find === '' ? {} : { text: find }),
  })
  document.title = text.title(thread)
  const error = matrix.error ?? presence.error
  if (error !== undefined) return <Failure error={error} onRetry={() => location.reload()} />
  if (!matrix.data) return <Skeleton rows={16} />
  if (matrix.data.requests.length === 0) return <Empty title={text.noRequest} />
  return <OpenedContext place={place} matrix={matrix.data} presence={presence.data} />
}

interface OpenedProps {
  readonly place: Place
  readonly matrix: ContextMatrix
  readonly presence: Presence | undefined
}

function useOpened({ place, matrix, presence }: OpenedProps): Opened | undefined {
  const moment = momentOf(place.path.split('/')[2] ?? '')
  const columns = useMemo(() => columnsOf(matrix), [matrix])
  const column = columns[columnAt(columns, moment.seq)]
  const choice = choiceOf(place.query)
  if (!column) return undefined
  const last = columns.at(-1) ?? column
  return {
    ...{ thread: moment.thread, version: `${last.seq}`, columns, column, choice },
    ...{ rows: presence?.rows ?? [], turns: Math.max(last.turn, presence?.turn ?? 1) },
    choose({ turn, ...next }) {
      const wanted = turn === undefined ? undefined : (columns.findLast((one) => one.turn <= turn) ?? columns[0])
      go(contextPath({ thread: moment.thread, seq: wanted?.seq ?? moment.seq }, { ...choice, ...next }), { replace: true })
    },
  }
}

function OpenedContext(props: OpenedProps): ReactNode {
  const text = useWords(contextWords)
  const opened = useOpened(props)
  useKeys({
    heading: text.heading,
    bindings: [
      { keys: 'ArrowLeft', label: text.previous, run: () => opened?.choose({ turn: opened.column.turn - 1 }) },
      { keys: 'ArrowRight', label: text.next, run: () => opened?.choose({ turn: opened.column.turn + 1 }) },
      { keys: '/', label: text.focusFind, run: () => document.querySelector<HTMLElement>('.context-find')?.focus() },
      { keys: 't', label: text.table, run: () => opened?.choose({ table: !opened.choice.table }) },
      ...sides.map((side, index) => ({ keys: String(index + 1), label: text.sides[side], run: () => opened?.choose({ side }) })),
    ],
  })
  if (!opened) return <Empty title={text.noRequest} />
  return (
    <div className={opened.choice.item === undefined && opened.choice.side === 'reason' ? 'context' : 'context chosen'}>
      <ContextHead opened={opened} />
      <div className="bench-body context-body">
        <Entries opened={opened} isLoading={props.presence === undefined} />
        <SidePane opened={opened} />
      </div>
    </div>
  )
}
