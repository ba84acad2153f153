/** The detail of the selection: the event of the moment with its data, and the span that it is about. At the end: what is open now. */
import type { LoomEvent } from '@loom-agent/kernel'
import { type Span, spanAt } from '@loom-agent/telemetry'
import type { ReactNode } from 'react'
import { useLoaded } from '../../data/use-server.tsx'
import { categoryOfEvent, isFailure } from '../../design/category.ts'
import { Glyph } from '../../design/glyph.tsx'
import { useWords } from '../../design/words.tsx'
import { bytes, clock, cost, duration, tokens, whole } from '../../figure/figure.ts'
import { Link } from '../../route/navigation.tsx'
import { threadPath } from '../../route/place.ts'
import { Failure, Skeleton } from '../../shell/failure.tsx'
import type { Bench } from '../bench/bench.ts'
import { SpanFacts } from '../flame/span-line.tsx'
import { benchWords } from '../words/words.ts'
import { JsonView } from './json-view.tsx'
import { NowPane } from './now-pane.tsx'

/** The detail pane. */
export function DetailPane({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  return (
    <aside className="detail" aria-label={text.detail}>
      {bench.seq === undefined ? <NowPane bench={bench} /> : <EventDetail bench={bench} seq={bench.seq} />}
    </aside>
  )
}

function EventDetail({ bench, seq }: { readonly bench: Bench; readonly seq: number }): ReactNode {
  const text = useWords(benchWords)
  const { thread, incarnation } = bench.head
  const loaded = useLoaded({
    of: `event ${thread} ${incarnation} ${seq}`,
    load: async (client): Promise<LoomEvent> => await client.getEvent({ thread, seq: String(seq) }),
  })
  if (loaded.error !== undefined) return <Failure error={loaded.error} />
  const event = loaded.data
  if (!event) return <Skeleton rows={4} />
  const size = JSON.stringify(event.data).length
  const span = bench.span < 0 ? undefined : spanAt(bench.columns, bench.span)
  return (
    <>
      <header className="detail-head">
        <Glyph of={isFailure(event.type) ? 'fault' : categoryOfEvent(event.type)} />
        <h2 className="cut">{event.type}</h2>
        <span className="grow" />
        <span className="code faint">@{whole(seq)}</span>
      </header>
      <p className="soft small">
        {clock(event.time, Date.now())}
        {event.run !== undefined && ` · ${event.run}`}
        {event.turn !== undefined && ` · ${text.turn} ${event.turn}`}
        {` · ${bytes(size)}`}
      </p>
      {span && <SpanDetail bench={bench} span={span} />}
      <JsonView value={event.data} />
    </>
  )
}

/** The span of the selection: where it stands, what it used, and its two ends. */
function SpanDetail({ bench, span }: { readonly bench: Bench; readonly span: Span }): ReactNode {
  const text = useWords(benchWords)
  const { chart, columns, at, select } = bench
  const until = columns.base + chart.now
  const around = spansAround(bench, span)
  return (
    <section className="span-detail">
      <SpanFacts span={span} until={until} />
      <dl className="figures small">
        <Ends label={text.began} seq={span.from} at={at} onSelect={select} />
        {span.end !== undefined && <Ends label={text.ended} seq={span.to} at={at} onSelect={select} />}
        <div>
          <dt>{text.took}</dt>
          <dd>{duration(Math.max(0, (span.end ?? until) - span.start))}</dd>
        </div>
        {span.input + span.output > 0 && (
          <div>
            <dt>{text.tokens}</dt>
            <dd>{`${tokens(span.input)} → ${tokens(span.output)} · ${cost(span.cost ?? 0, span.cost === undefined ? 1 : 0)}`}</dd>
          </div>
        )}
      </dl>
      {around.length > 0 && (
        <p className="small soft cut">
          {text.inside}{' '}
          {around.map((one, index) => (
            <span key={one.index}>
              {index > 0 && ' › '}
              <button type="button" className="link" onClick={() => select(one.from)}>
                {one.kind === one.name ? text.kinds[one.kind] : one.name}
              </button>
            </span>
          ))}
        </p>
      )}
      {span.kind === 'child' && span.link !== undefined && (
        <Link className="button" to={threadPath({ thread: span.link, seq: undefined })}>
          {text.openChild}
        </Link>
      )}
    </section>
  )
}

/** The spans around a span, the outermost first. */
function spansAround({ columns }: Bench, span: Span): readonly Span[] {
  const found: Span[] = []
  for (let index = span.parent; index >= 0; index = columns.parent[index] ?? -1) found.unshift(spanAt(columns, index))
  return found
}

interface EndsProps {
  readonly label: string
  readonly seq: number
  readonly at: number
  readonly onSelect: (seq: number) => void
}

function Ends({ label, seq, at, onSelect }: EndsProps): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {seq === at ? (
          <span className="code strong">@{whole(seq)}</span>
        ) : (
          <button type="button" className="link code" onClick={() => onSelect(seq)}>
            @{whole(seq)}
          </button>
        )}
      </dd>
    </div>
  )
}
