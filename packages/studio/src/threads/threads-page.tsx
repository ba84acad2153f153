/** All threads: a list that is read page by page, with what each was doing as a small line. */
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useChanges, useLoaded, useNow } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { VirtualList } from '../list/virtual-list.tsx'
import { go } from '../route/navigation.tsx'
import { type Place, searchOf, threadPath } from '../route/place.ts'
import { Empty, Failure, Skeleton } from '../shell/failure.tsx'
import { useKeys } from '../shell/use-keys.ts'
import { readThreads } from './read-threads.ts'
import { filterOf, listedStatuses, queryOf, type ThreadFilter } from './thread-filter.ts'
import { ThreadRow } from './thread-row.tsx'
import { threadsWords } from './words.ts'

/** Threads that are read at first, and with each further page. */
const batch = 200

/** The page of threads. */
export function ThreadsPage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(threadsWords)
  const filter = filterOf(place.query)
  const changes = useChanges()
  const now = useNow(5_000)
  const [wanted, setWanted] = useState(batch)
  const [current, setCurrent] = useState(-1)
  const key = searchOf(queryOf(filter))
  const threads = useLoaded({ of: `threads ${key}`, version: `${changes} ${wanted}`, load: (client) => readThreads(client, filter, wanted) })
  document.title = text.title
  const { items = [], isEnd = true } = threads.data ?? {}
  const count = items.length
  const onVisible = useCallback((_: number, to: number) => (to >= count && !isEnd ? setWanted(count + batch) : undefined), [count, isEnd])
  const open = (index: number): void => {
    const item = items[index]
    if (item) go(threadPath({ thread: item.thread, seq: undefined }))
  }
  const choose = (next: ThreadFilter): void => {
    setCurrent(-1)
    go(`/threads${searchOf(queryOf(next))}`, { replace: true })
  }
  return (
    <div className="threads">
      <FilterBar filter={filter} onChoose={choose} count={threads.data ? text.loaded(whole(count), !isEnd) : ''} />
      <div className="list-head thread-row" aria-hidden="true">
        <span>{text.thread}</span>
        <span>{text.status}</span>
        <span className="wide-cell">{text.agent}</span>
        <span className="wide-cell" title={text.activityHint}>
          {text.activity}
        </span>
        <span className="number wide-cell">{text.cost}</span>
        <span className="number">{text.events}</span>
        <span className="number">{text.changed}</span>
      </div>
      {threads.error !== undefined && <Failure error={threads.error} onRetry={() => location.reload()} />}
      {!threads.data && threads.error === undefined && <Skeleton rows={16} />}
      {threads.data && count === 0 && <NoThreads filter={filter} onChoose={choose} />}
      {count > 0 && (
        <VirtualList
          label={text.heading}
          id="thread"
          count={count}
          current={current}
          onCurrent={(index) => (index === current ? open(index) : setCurrent(index))}
          onOpen={open}
          onVisible={onVisible}
        >
          {(index) => (items[index] ? <ThreadRow item={items[index]} now={now} /> : null)}
        </VirtualList>
      )}
    </div>
  )
}

interface FilterProps {
  readonly filter: ThreadFilter
  readonly onChoose: (filter: ThreadFilter) => void
}

function NoThreads({ filter, onChoose }: FilterProps): ReactNode {
  const text = useWords(threadsWords)
  const all: ThreadFilter = { status: undefined, agent: undefined, children: false }
  if (searchOf(queryOf(filter)) === '') return <Empty title={text.noneYet} />
  return (
    <Empty title={text.none}>
      <button type="button" className="button" onClick={() => onChoose(all)}>
        {text.clear}
      </button>
    </Empty>
  )
}

function FilterBar({ filter, onChoose, count }: FilterProps & { readonly count: string }): ReactNode {
  const text = useWords(threadsWords)
  const field = useRef<HTMLInputElement>(null)
  useKeys({ heading: text.heading, bindings: [{ keys: '/', label: text.focusFilter, run: () => field.current?.focus() }] })
  return (
    <header className="filter-bar">
      <h1>{text.heading}</h1>
      <fieldset className="chips" aria-label={text.status}>
        {[undefined, ...listedStatuses.slice(0, 5)].map((status) => (
          <button
            key={status ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={filter.status === status}
            onClick={() => onChoose({ ...filter, status })}
          >
            {status ?? text.all}
          </button>
        ))}
      </fieldset>
      <input
        ref={field}
        className="field"
        placeholder={text.find}
        aria-label={text.focusFilter}
        defaultValue={filter.agent ?? ''}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onChoose({ ...filter, agent: currentTarget.value.trim() || undefined })
          if (key === 'Escape') currentTarget.blur()
        }}
      />
      <label className="check">
        <input type="checkbox" checked={filter.children} onChange={({ target }) => onChoose({ ...filter, children: target.checked })} />
        {text.withChildren}
      </label>
      <span className="grow" />
      <span className="faint">{count}</span>
    </header>
  )
}
