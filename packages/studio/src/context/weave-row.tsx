/** One row of the weave. */
import type { ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import type { Opened, PresenceRow } from './opened.ts'
import { turnUnder } from './token-strip.tsx'
import { rowHeight, stateIn, strandsOf, warpPath } from './weave.ts'
import { contextWords } from './words.ts'

interface RowProps {
  readonly opened: Opened
  readonly row: PresenceRow
  readonly index: number
}

/** A row: what the entry is, how each turn showed it, and how the selected one did. */
export function WeaveRow({ opened, row, index }: RowProps): ReactNode {
  const text = useWords(contextWords)
  const { column, turns, choose } = opened
  return (
    <div className="weave-row">
      <span className="cut" title={row.text}>
        <span className="code faint">@{whole(row.seq)}</span> {row.text}
      </span>
      <svg
        className="weave-strip"
        viewBox={`0 0 ${turns} ${rowHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => {
          // The row would choose its entry alone, and the turn would be lost.
          event.stopPropagation()
          choose({ item: row.seq, turn: turnUnder(event, turns) })
        }}
      >
        <path className="warp" d={warpPath(turns, { row: index, over: false })} />
        {strandsOf(row).map(({ as, ...place }) => (
          <rect key={place.x} className={`strand ${as}`} {...place} />
        ))}
        <path className="warp over" d={warpPath(turns, { row: index, over: true })} />
        <rect className="here" x={column.turn - 1} width={1} y={0} height={rowHeight} />
      </svg>
      <span className="cut small">{text.state[stateIn(row, column.turn)]}</span>
    </div>
  )
}
