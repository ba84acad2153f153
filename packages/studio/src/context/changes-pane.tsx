/** How the request differs from the one of the turn before. */
import { type ReactNode, useMemo } from 'react'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { Failure, Skeleton } from '../shell/failure.tsx'
import type { Opened } from './opened.ts'
import { changesBetween } from './parts.ts'
import { useExplanation } from './use-explanation.ts'
import { contextWords } from './words.ts'

const most = 200

/** The changes since the turn before. */
export function ChangesPane({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { columns, column } = opened
  const previous = columns[columns.indexOf(column) - 1]
  const before = useExplanation(opened, previous?.turn)
  const after = useExplanation(opened, column.turn)
  const changes = useMemo(() => (before.data && after.data ? changesBetween(before.data, after.data) : []), [before.data, after.data])
  const error = before.error ?? after.error
  if (error !== undefined) return <Failure error={error} />
  if (!previous) return <p className="soft">{text.first}</p>
  if (!before.data || !after.data) return <Skeleton rows={6} />
  return (
    <>
      <p className="soft small">
        {`${text.since(previous.turn)}: ${whole(before.data.tokens.total)} → ${whole(after.data.tokens.total)} ${text.tokens}`}
      </p>
      {changes.length === 0 && <p className="soft">{text.noChanges}</p>}
      <ul className="part-changes">
        {changes.slice(0, most).map(({ kind, part, before: old, after: now }, index) => (
          <li key={index} className={kind}>
            <span className="strong">{text.change[kind]}</span>
            <span className="cut" title={part.text}>
              <span className="faint">{text.zone[part.kind]}</span> {part.text}
            </span>
            <span className="number soft">{old === now ? whole(now) : `${whole(old)} → ${whole(now)}`}</span>
          </li>
        ))}
      </ul>
      {changes.length > most && <p className="soft small">{text.more(whole(changes.length - most))}</p>}
    </>
  )
}
