/** What is shown when something could not be read, or is not there. */
import { isLoomError } from '@loom-agent/kernel'
import type { ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { Link } from '../route/navigation.tsx'
import { shellWords } from './words.ts'

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Says why something could not be read: the code, what happened, and what to do. */
export function Failure({ error, onRetry }: FailureProps): ReactNode {
  const text = useWords(shellWords)
  const code = isLoomError(error) ? error.code : undefined
  const message = error instanceof Error ? error.message : String(error)
  return (
    <section className="notice" role="alert">
      <h2 className="fault">{text.failed}</h2>
      <p>{message}</p>
      {code !== undefined && (
        <p className="soft">
          <code>{code}</code> · {text.docs}
        </p>
      )}
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {text.again}
        </button>
      )}
    </section>
  )
}

/** A view that has nothing to show: what is missing, and what brings it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <section className="notice">
      <h2>{title}</h2>
      <div className="soft">{children}</div>
    </section>
  )
}

/** An address at which there is nothing. */
export function NothingHere(): ReactNode {
  const text = useWords(shellWords)
  return (
    <Empty title={text.nothing}>
      <p>{text.nothingHint}</p>
      <Link className="link" to="/">
        {text.home}
      </Link>
    </Empty>
  )
}

/** Rows in the place of those that are being loaded. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }): ReactNode {
  const text = useWords(shellWords)
  return (
    <div className="skeleton" role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton-row" />
      ))}
    </div>
  )
}
