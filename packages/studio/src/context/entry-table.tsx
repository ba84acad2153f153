/** The twin of the weave in words: a table that says how each turn showed each entry. */
import { type ReactNode, useState } from 'react'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import type { Opened } from './opened.ts'
import { stateIn } from './weave.ts'
import { contextWords } from './words.ts'

const batch = 200

/** The table. */
export function EntryTable({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const [shown, setShown] = useState(batch)
  const { rows, column, choice, choose } = opened
  return (
    <div className="entry-table">
      <table>
        <thead>
          <tr className="faint small">
            <th scope="col">{text.entry}</th>
            <th scope="col">{text.seen}</th>
            <th scope="col">{`${text.turn} ${column.turn}`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row) => (
            <tr key={row.from} aria-current={row.seq === choice.item ? 'true' : undefined}>
              <th scope="row">
                <button type="button" className="entry-name" onClick={() => choose({ item: row.seq })}>
                  <span className="code faint">@{whole(row.seq)}</span> {row.text}
                </button>
              </th>
              <td className="soft">{row.turns.map(({ from, to, as }) => `${text.range(from, to)} ${text.state[as]}`).join(', ')}</td>
              <td className="now">{text.state[stateIn(row, column.turn)]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" className="button" onClick={() => setShown(shown + batch)}>
          {text.more(whole(rows.length - shown))}
        </button>
      )}
    </div>
  )
}
