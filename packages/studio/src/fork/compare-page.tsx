/** Two threads side by side: what they have in common, and step by step where they differ. */
import type { ComparedStep, Step } from '@loom-agent/telemetry'
import { type ReactNode, useState } from 'react'
import { useChanges, useLoaded } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { cost, duration, tokens, whole } from '../figure/figure.ts'
import { WholeText } from '../inert/whole-text.tsx'
import { go, Link } from '../route/navigation.tsx'
import { momentIn, type Place, searchOf, threadPath } from '../route/place.ts'
import { Empty, Failure, Skeleton } from '../shell/failure.tsx'
import { forkWords } from './words.ts'

const batch = 500

/** The page of a comparison: `/compare?a=&b=`. */
export function ComparePage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(forkWords)
  const a = place.query.get('a') ?? ''
  const b = place.query.get('b') ?? ''
  document.title = text.compareTitle
  return (
    <div className="page compare">
      <form
        className="compare-form"
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget)
          go(`/compare${searchOf({ a: String(given.get('a')).trim(), b: String(given.get('b')).trim() })}`)
        }}
      >
        <h1>{text.compare}</h1>
        <input key={`a ${a}`} className="field code" name="a" aria-label="A" defaultValue={a} placeholder="A" />
        <input key={`b ${b}`} className="field code" name="b" aria-label="B" defaultValue={b} placeholder="B" />
        <button type="submit" className="button">
          {text.show}
        </button>
      </form>
      {a === '' || b === '' ? <Empty title={text.compareHint} /> : <Compared key={`${a} ${b}`} a={a} b={b} />}
    </div>
  )
}

function Compared({ a, b }: { readonly a: string; readonly b: string }): ReactNode {
  const text = useWords(forkWords)
  const [limit, setLimit] = useState(batch)
  const changes = useChanges((thread) => [a, b].some((moment) => momentIn(moment).thread === thread))
  const loaded = useLoaded({ of: `compare ${a} ${b}`, version: `${changes} ${limit}`, load: (client) => client.compareThreads({ a, b, limit }) })
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={() => location.reload()} />
  const found = loaded.data
  if (!found) return <Skeleton rows={8} />
  const { counts, totals, items, common, next, isBest } = found
  return (
    <>
      <dl className="figures">
        {(['same', 'changed', 'removed', 'added'] as const).map((name) => (
          <div key={name}>
            <dt>{text.counts[name]}</dt>
            <dd className="strong">{whole(counts[name])}</dd>
          </div>
        ))}
        {(['steps', 'tokens', 'ms'] as const).map((name) => {
          const shown = { steps: whole, tokens, ms: duration }[name]
          return (
            <div key={name}>
              <dt>{name === 'ms' ? text.time : text[name]}</dt>
              <dd className="strong">{`${shown(totals.a[name])} → ${shown(totals.b[name])}`}</dd>
            </div>
          )
        })}
      </dl>
      <p className="soft">{text.common(whole(common))}</p>
      {!isBest && <p className="soft">{text.rough}</p>}
      {items.length === 0 ? (
        <p className="strong">{text.equal}</p>
      ) : (
        <ol className="compare-rows">
          {items.map((row, index) => (
            <ComparedRow key={index} row={row} a={momentIn(a).thread} b={momentIn(b).thread} />
          ))}
        </ol>
      )}
      {next !== undefined && (
        <button type="button" className="button" onClick={() => setLimit(Math.min(5_000, limit + batch))}>
          {text.more}
        </button>
      )}
    </>
  )
}

function ComparedRow({ row, a, b }: { readonly row: ComparedStep; readonly a: string; readonly b: string }): ReactNode {
  const text = useWords(forkWords)
  const { op } = row
  return (
    <li className="compare-row">
      <span className={op === '=' ? 'code faint' : 'code strong'} title={text.ops[op]}>
        <span aria-hidden="true">{op}</span>
        <span className="unseen">{text.ops[op]}</span>
      </span>
      <StepCell step={row.a} thread={a} isFaint={op === '='} />
      <StepCell step={row.b} thread={b} isFaint={op === '='} />
    </li>
  )
}

function StepCell({ step, thread, isFaint }: { readonly step: Step | undefined; readonly thread: string; readonly isFaint: boolean }): ReactNode {
  if (!step) return <span className="compare-cell" />
  return (
    <Link className={isFaint ? 'compare-cell faint' : 'compare-cell'} to={threadPath({ thread, seq: step.seq })}>
      <span>
        <span className="code faint">@{step.seq}</span> <span className="strong">{step.name === '' ? step.kind : `${step.kind} ${step.name}`}</span>{' '}
        <span className="faint small">
          {step.ms === undefined ? '' : duration(step.ms)} {step.tokens === undefined ? '' : tokens(step.tokens)}{' '}
          {step.cost === undefined ? '' : cost(step.cost)}
        </span>
      </span>
      <span className="compare-label">
        <WholeText text={step.label} />
      </span>
    </Link>
  )
}
