/** The workbench: one thread, at one of its moments. Every part of it shows the same selection. */
import type { Columns } from '@loom-agent/telemetry'
import { type ReactNode, useMemo } from 'react'
import { useChanges, useLoaded, useNow } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { go } from '../route/navigation.tsx'
import { momentOf, type Place, threadPath } from '../route/place.ts'
import { Failure, Skeleton } from '../shell/failure.tsx'
import { useKeys } from '../shell/use-keys.ts'
import type { Bench, ThreadHead } from './bench/bench.ts'
import { BenchHead } from './bench-head.tsx'
import { CallsView } from './calls/calls-view.tsx'
import { ChatView } from './chat/chat-view.tsx'
import { ControlBar } from './control/control-bar.tsx'
import { DetailPane } from './detail/detail.tsx'
import { EventList } from './events/event-list.tsx'
import { FlameChart } from './flame/flame-chart.tsx'
import { placeSpans } from './flame/place-spans.ts'
import { timeAxis } from './flame/time-axis.ts'
import { seqOfSpan, seqTimes, spanOfSeq, timeOfSeq } from './moment/figures-at.ts'
import { Scrubber } from './moment/scrubber.tsx'
import { TreeView } from './tree/tree-view.tsx'
import { benchWords } from './words/words.ts'

const views = { events: EventList, chat: ChatView, tree: TreeView, calls: CallsView } as const
type View = keyof typeof views
const viewNames = Object.keys(views) as readonly View[]

const viewOf = ({ query }: Place): View => viewNames.find((name) => name === query.get('view')) ?? 'events'

/** The page of a thread. */
export function WorkbenchPage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(benchWords)
  const { thread, seq } = momentOf(place.path.split('/')[2] ?? '')
  const changes = useChanges((changed) => changed === thread)
  const head = useLoaded({ of: `thread ${thread}`, version: changes, load: (client) => client.getThread({ thread }) })
  const columns = useLoaded(
    head.data && { of: `spans ${thread} ${head.data.incarnation}`, version: head.data.seq, load: (client) => client.getSkeleton({ thread }) },
  )
  document.title = text.title(thread)
  const error = head.data ? columns.error : head.error
  if (error !== undefined) return <Failure error={error} onRetry={() => location.reload()} />
  if (!head.data || !columns.data) return <Skeleton rows={16} />
  return <OpenedBench place={place} head={head.data} columns={columns.data} seq={seq === undefined ? undefined : Math.min(seq, head.data.seq)} />
}

interface OpenedProps {
  readonly place: Place
  readonly head: ThreadHead
  readonly columns: Columns
  readonly seq: number | undefined
}

/** The last moment of the spans, in milliseconds after their base. */
function lastOf({ start, end }: Columns): number {
  let last = 0
  for (const [index, from] of start.entries()) last = Math.max(last, from, end[index] ?? 0)
  return last
}

/** What the parts share. */
function useBench({ place, head, columns, seq }: OpenedProps): Bench {
  const isLive = head.status === 'running'
  const tick = useNow(isLive ? 500 : 60_000)
  // What is open is drawn to the present while somebody works on it, and to the last event when nobody does.
  const now = Math.max(lastOf(columns), isLive ? tick - columns.base : 0)
  const chart = useMemo(() => ({ columns, now, placed: placeSpans(columns, now), axis: timeAxis(columns, now) }), [columns, now])
  const at = seq ?? head.seq
  const span = useMemo(() => (seq === undefined ? -1 : spanOfSeq(columns, seq)), [columns, seq])
  const view = place.query.get('view') ?? undefined
  const select = (next: number | undefined): void => go(threadPath({ thread: head.thread, seq: next }, { view }), { replace: true })
  return { head, columns, chart, seq, at, span, select }
}

function OpenedBench(props: OpenedProps): ReactNode {
  const text = useWords(benchWords)
  const { head, seq, place } = props
  const bench = useBench(props)
  const { chart, columns } = bench
  const times = useMemo(() => seqTimes(columns), [columns])
  const view = viewOf(place)
  const show = (next: View): void => go(threadPath({ thread: head.thread, seq }, { view: next === 'events' ? undefined : next }), { replace: true })
  useKeys({
    heading: text.views,
    bindings: viewNames.map((name, index) => ({ keys: String(index + 1), label: text.viewNames[name], run: () => show(name) })),
  })
  const Shown = views[view]
  return (
    <div className={seq === undefined ? 'bench' : 'bench selected'}>
      <BenchHead bench={bench} />
      <Scrubber bench={bench} />
      <FlameChart
        chart={chart}
        selected={bench.span}
        moment={seq === undefined ? undefined : timeOfSeq(times, seq)}
        onSelect={(index) => bench.select(seqOfSpan(columns, index))}
      />
      <div className="bench-body">
        <section className="bench-view">
          <div className="tabs" role="tablist" aria-label={text.views}>
            {viewNames.map((name) => (
              <button key={name} type="button" role="tab" className="tab" aria-selected={name === view} onClick={() => show(name)}>
                {text.viewNames[name]}
              </button>
            ))}
          </div>
          <Shown bench={bench} />
          <ControlBar head={head} />
        </section>
        <DetailPane bench={bench} />
      </div>
    </div>
  )
}
