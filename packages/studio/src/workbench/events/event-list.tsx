/** The events of the thread, one a line: the twin of the chart that can be read aloud. */
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useReadable, useServer } from '../../data/use-server.tsx'
import { categoryOfEvent, isFailure } from '../../design/category.ts'
import { Glyph } from '../../design/glyph.tsx'
import { useWords } from '../../design/words.tsx'
import { duration, whole } from '../../figure/figure.ts'
import { VirtualList } from '../../list/virtual-list.tsx'
import { Failure } from '../../shell/failure.tsx'
import type { Bench } from '../bench/bench.ts'
import { benchWords } from '../words/words.ts'
import { createHeaderPages, type HeaderPages } from './header-pages.ts'

/** The pages of headers of a thread, and a number that changes with them. */
function useHeaderPages({ thread, incarnation }: Bench['head']): HeaderPages {
  const { client, returns } = useServer()
  const returned = useReadable(returns)
  const [, setCount] = useState(0)
  // An incarnation is another thread under the same name.
  const key = `${thread} ${incarnation}`
  const pages = useMemo(
    () =>
      createHeaderPages(
        async (from, limit) => (await client.listEventHeaders({ thread: key.slice(0, key.lastIndexOf(' ')) }, { from, limit })).items,
        () => setCount((count) => count + 1),
      ),
    [client, key],
  )
  useEffect(() => {
    if (returned > 0) pages.retry()
  }, [pages, returned])
  return pages
}

/** The list of events. */
export function EventList({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const { head, at, seq, select, columns } = bench
  const pages = useHeaderPages(head)
  const last = head.seq
  const onVisible = useCallback((from: number, to: number) => pages.need(from + 1, to, last), [pages, last])
  const error = pages.error()
  const retry = (): void => {
    pages.retry()
    onVisible(at - 1, at)
  }
  return (
    <>
      <div className="list-head event-row" aria-hidden="true">
        <span className="number">seq</span>
        <span className="number">{text.after}</span>
        <span className="number">{text.turn}</span>
        <span>{text.event}</span>
        <span>{text.about}</span>
      </div>
      {error !== undefined && <Failure error={error} onRetry={retry} />}
      <VirtualList
        label={text.viewNames.events}
        id="event"
        count={last}
        current={at - 1}
        onCurrent={(index) => select(index + 1 >= last && seq === undefined ? undefined : index + 1)}
        onVisible={onVisible}
      >
        {(index) => <EventRow seq={index + 1} header={pages.at(index + 1)} base={columns.base || head.began} isLater={index + 1 > at} />}
      </VirtualList>
    </>
  )
}

interface EventRowProps {
  readonly seq: number
  readonly header: ReturnType<HeaderPages['at']>
  readonly base: number
  readonly isLater: boolean
}

function EventRow({ seq, header, base, isLater }: EventRowProps): ReactNode {
  if (!header) return <span className="event-row faint number">{whole(seq)}</span>
  const { type, time, turn, label } = header
  const isFault = isFailure(type)
  return (
    <span className={isLater ? 'event-row later' : 'event-row'}>
      <span className="number faint">{whole(seq)}</span>
      <span className="number soft">{duration(Math.max(0, time - base))}</span>
      <span className="number soft">{turn ?? ''}</span>
      <span className="event-type">
        <Glyph of={isFault ? 'fault' : categoryOfEvent(type)} /> <span className={isFault ? 'fault cut' : 'cut'}>{type}</span>
      </span>
      <span className="cut soft">{label}</span>
    </span>
  )
}
