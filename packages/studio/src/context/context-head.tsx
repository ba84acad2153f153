/** The head: the turn, the figures of its request, its zones, and the tokens of all requests. */
import type { ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { tokens, whole } from '../figure/figure.ts'
import { Link } from '../route/navigation.tsx'
import { threadPath } from '../route/place.ts'
import type { Opened } from './opened.ts'
import { zonesOf } from './parts.ts'
import { useExplanation } from './use-explanation.ts'
import { contextWords } from './words.ts'

/** The share from which a zone has room for its name. */
const leastLabelled = 0.08

/** The head of the page. */
export function ContextHead({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { thread, column, columns, choose } = opened
  const { data } = useExplanation(opened, column.turn)
  const budget = data?.rebase?.budget
  return (
    <header className="context-head">
      <div className="bench-head">
        <h1 className="cut">
          {text.heading}{' '}
          <Link className="code link" to={threadPath({ thread, seq: column.seq })} title={text.workbench}>
            {thread}
          </Link>
        </h1>
        <span className="turn-steps">
          <button
            type="button"
            className="button"
            aria-label={text.previous}
            disabled={columns[0] === column}
            onClick={() => choose({ turn: column.turn - 1 })}
          >
            ‹
          </button>
          <span className="strong">{text.turnOf(column.turn, opened.turns)}</span>
          <button
            type="button"
            className="button"
            aria-label={text.next}
            disabled={columns.at(-1) === column}
            onClick={() => choose({ turn: column.turn + 1 })}
          >
            ›
          </button>
        </span>
        <span className="grow" />
        <dl className="figures" title={text.tokensHint}>
          <Figure name={text.tokens} value={data && whole(data.tokens.total)} />
          {budget && <Figure name={text.budget} value={whole(budget.max)} />}
          <Figure name={text.messages} value={data && whole(data.messages)} />
        </dl>
      </div>
      <dl className="zones" aria-label={text.zones}>
        {(data ? zonesOf(data) : []).map(({ kind, tokens: count, share }) => (
          <div key={kind} className={`zone ${kind}`} style={{ width: `${share * 100}%` }} title={`${text.zone[kind]} ${whole(count)}`}>
            <dt className={share < leastLabelled ? 'unseen' : ''}>{text.zone[kind]}</dt>
            <dd className={share < leastLabelled ? 'unseen' : ''}>{tokens(count)}</dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string | undefined }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="strong">{value ?? '…'}</dd>
    </div>
  )
}
