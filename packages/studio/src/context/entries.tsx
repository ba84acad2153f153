/** The entries: the weave, or the table that says the same in words; both can be searched. */
import { type ReactNode, useMemo, useState } from 'react'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { VirtualList } from '../list/virtual-list.tsx'
import { Empty, Skeleton } from '../shell/failure.tsx'
import { EntryTable } from './entry-table.tsx'
import type { Opened } from './opened.ts'
import { TokenStrip } from './token-strip.tsx'
import { countsIn, rowsIn, type State, states, strandsOf } from './weave.ts'
import { WeaveRow } from './weave-row.tsx'
import { contextWords } from './words.ts'

/** The entries of the thread. */
export function Entries({ opened, isLoading }: { readonly opened: Opened; readonly isLoading: boolean }): ReactNode {
  const text = useWords(contextWords)
  const [state, setState] = useState<State>()
  const { column, choice, choose } = opened
  const rows = useMemo(() => rowsIn(opened.rows, column.turn, state), [opened.rows, column.turn, state])
  const shown = { ...opened, rows }
  return (
    <section className="bench-view" aria-label={text.entries}>
      <Filter opened={opened} state={state} onState={setState} />
      {isLoading && <Skeleton rows={12} />}
      {!isLoading && rows.length === 0 && <Empty title={text.none} />}
      {rows.length > 0 && choice.table && <EntryTable opened={shown} />}
      {rows.length > 0 && !choice.table && (
        <>
          <TokenStrip opened={opened} />
          <VirtualList
            label={text.entries}
            id="entry"
            count={rows.length}
            current={rows.findIndex(({ seq }) => seq === choice.item)}
            onCurrent={(index) => choose({ item: rows[index]?.seq })}
          >
            {(index) => (rows[index] ? <WeaveRow opened={opened} row={rows[index]} index={index} /> : null)}
          </VirtualList>
        </>
      )}
    </section>
  )
}

interface FilterProps {
  readonly opened: Opened
  readonly state: State | undefined
  onState(state: State | undefined): void
}

function Filter({ opened, state, onState }: FilterProps): ReactNode {
  const text = useWords(contextWords)
  const { rows, column, choice, choose } = opened
  const counts = useMemo(() => countsIn(rows, column.turn), [rows, column.turn])
  return (
    <div className="filter-bar context-filter">
      <input
        className="field context-find"
        placeholder={text.find}
        aria-label={text.focusFind}
        defaultValue={choice.find}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') choose({ find: currentTarget.value.trim(), item: undefined })
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <fieldset className="chips" aria-label={text.now}>
        <button type="button" className="chip" aria-pressed={state === undefined} onClick={() => onState(undefined)}>
          {text.all}
        </button>
        {states
          .filter((one) => counts[one] > 0 || one === state)
          .map((one) => (
            <button key={one} type="button" className="chip" aria-pressed={state === one} onClick={() => onState(one)}>
              <StateMark of={one} /> {text.state[one]} <span className="faint">{whole(counts[one])}</span>
            </button>
          ))}
      </fieldset>
      <span className="grow" />
      <button type="button" className="button" aria-pressed={choice.table} onClick={() => choose({ table: !choice.table })}>
        {choice.table ? text.weave : text.table}
      </button>
    </div>
  )
}

/** The shape of a state, as the weave has it. */
export function StateMark({ of }: { readonly of: State }): ReactNode {
  if (of === 'later') return null
  return (
    <svg className="state-mark" viewBox="0 0 1 24" preserveAspectRatio="none" aria-hidden="true">
      {strandsOf({ turns: [{ from: 1, to: 1, as: of }] }).map((strand) => (
        <rect key={strand.as} className={`strand ${of}`} x={strand.x} y={strand.y} width={strand.width} height={strand.height} />
      ))}
    </svg>
  )
}
