/** The head of the weave: what each request took, over the same turns. A click chooses the turn. */
import type { MouseEvent, ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { tokens } from '../figure/figure.ts'
import type { Opened } from './opened.ts'
import { turnAt } from './weave.ts'
import { contextWords } from './words.ts'

/** The turn below a pointer. */
export function turnUnder({ currentTarget, clientX }: MouseEvent<SVGElement>, turns: number): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  return turnAt((clientX - left) / Math.max(1, width), turns)
}

/** The tokens of all requests. */
export function TokenStrip({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { columns, column, turns, choose } = opened
  const most = columns.reduce((high, { input = 0 }) => Math.max(high, input), 1)
  return (
    <div className="weave-row weave-head">
      <span className="cut">
        {text.entry} <span className="unseen">{`${text.strip}. ${text.counted(column.turn, tokens(column.input ?? 0))}`}</span>
      </span>
      <svg
        className="weave-strip"
        viewBox={`0 0 ${turns} 24`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(event) => choose({ turn: turnUnder(event, turns) })}
      >
        {columns.map(({ turn, input = 0 }) => (
          <rect
            key={turn}
            className={turn === column.turn ? 'bar here' : 'bar'}
            x={turn - 0.9}
            width={0.8}
            y={24 - (20 * input) / most}
            height={(20 * input) / most}
          >
            <title>{text.counted(turn, tokens(input))}</title>
          </rect>
        ))}
      </svg>
      <span className="cut">{`${text.turn} ${column.turn}`}</span>
    </div>
  )
}
