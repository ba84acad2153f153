/**
 * A JSON value as a tree. Long texts and long lists are cut, with what is left out.
 *
 * JSON-2. What is shown is text: nothing of it is ever read as markup, and no address in it is fetched.
 */
import { type ReactNode, useState } from 'react'
import { useWords } from '../../design/words.tsx'
import { whole } from '../../figure/figure.ts'
import { benchWords } from '../words/words.ts'

const longest = 1_200
const mostItems = 40

/** A value, with its name where it has one. */
export function JsonView({ value, name }: { readonly value: unknown; readonly name?: string }): ReactNode {
  const label = name === undefined ? null : <span className="json-name">{name}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <Scalar value={value} />
      </div>
    )
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0)
    return (
      <div className="json-leaf">
        {label}
        <span className="faint">{isList ? '[]' : '{}'}</span>
      </div>
    )
  const items = <Items entries={entries} />
  if (name === undefined) return <div className="json">{items}</div>
  return (
    <details className="json-branch" open>
      <summary>
        {label} <span className="faint">{isList ? `[${entries.length}]` : ''}</span>
      </summary>
      {items}
    </details>
  )
}

function Items({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }): ReactNode {
  const text = useWords(benchWords)
  const [shown, setShown] = useState(mostItems)
  const more = entries.length - shown
  return (
    <>
      {entries.slice(0, shown).map(([key, item]) => (
        <JsonView key={key} name={key} value={item} />
      ))}
      {more > 0 && (
        <button type="button" className="link small" onClick={() => setShown(shown + 10 * mostItems)}>
          {text.moreItems(whole(more))}
        </button>
      )}
    </>
  )
}

function Scalar({ value }: { readonly value: unknown }): ReactNode {
  const text = useWords(benchWords)
  const [isWhole, setIsWhole] = useState(false)
  if (typeof value !== 'string') return <span className="json-value">{String(value)}</span>
  const more = isWhole ? 0 : Math.max(0, value.length - longest)
  return (
    <span className="json-text">
      {more > 0 ? value.slice(0, longest) : value}
      {more > 0 && (
        <button type="button" className="link small" onClick={() => setIsWhole(true)}>
          … {text.more(whole(more))}
        </button>
      )}
    </span>
  )
}
