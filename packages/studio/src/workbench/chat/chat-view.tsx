/** The thread as a conversation, up to the moment. */
import type { ChatCall, ChatItem, ShownText } from '@loom-agent/telemetry'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLoaded } from '../../data/use-server.tsx'
import { Glyph } from '../../design/glyph.tsx'
import { useWords } from '../../design/words.tsx'
import { duration, whole } from '../../figure/figure.ts'
import { InertText } from '../../inert/inert-text.tsx'
import { Link } from '../../route/navigation.tsx'
import { threadPath } from '../../route/place.ts'
import { Empty, Failure, Skeleton } from '../../shell/failure.tsx'
import type { Bench } from '../bench/bench.ts'
import { benchWords } from '../words/words.ts'
import { itemOfSeq } from './item-of-seq.ts'

/** Items that are built at first, and with each further click. */
const batch = 80

/** The conversation. */
export function ChatView({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const { head, at, seq } = bench
  const loaded = useLoaded({
    of: `chat ${head.thread} ${head.incarnation}`,
    version: at,
    load: (client) => client.getChat({ thread: head.thread }, { at }),
  })
  const [shown, setShown] = useState(batch)
  const end = useRef<HTMLDivElement>(null)
  const items = loaded.data ?? []
  const count = items.length
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [count])
  if (loaded.error !== undefined) return <Failure error={loaded.error} />
  if (!loaded.data) return <Skeleton rows={6} />
  if (count === 0) return <Empty title={text.noChat} />
  const current = itemOfSeq(items, at)
  const first = Math.max(0, count - shown)
  return (
    <div className="chat" role="log" aria-label={text.viewNames.chat}>
      {first > 0 && (
        <button type="button" className="button" onClick={() => setShown(shown + batch)}>
          {text.earlierItems(whole(first))}
        </button>
      )}
      {items.slice(first).map((item, index) => (
        <ChatEntry key={`${item.seq} ${item.kind}`} item={item} isCurrent={seq !== undefined && first + index === current} onSelect={bench.select} />
      ))}
      <div ref={end} />
    </div>
  )
}

interface EntryProps {
  readonly item: ChatItem
  readonly isCurrent: boolean
  readonly onSelect: (seq: number) => void
}

function ChatEntry({ item, isCurrent, onSelect }: EntryProps): ReactNode {
  const text = useWords(benchWords)
  return (
    <article className={`chat-item ${item.kind}`} aria-current={isCurrent || undefined}>
      <header>
        <button type="button" className="chat-who" onClick={() => onSelect(item.seq)}>
          <span className="strong">{text.said[item.kind]}</span> <span className="code faint">@{whole(item.seq)}</span>
        </button>
      </header>
      <ChatBody item={item} onSelect={onSelect} />
    </article>
  )
}

function ChatBody({ item, onSelect }: Pick<EntryProps, 'item' | 'onSelect'>): ReactNode {
  const text = useWords(benchWords)
  if (item.kind === 'forked') return <p className="code">{item.from}</p>
  if (item.kind === 'question') {
    return (
      <>
        <Cut of={item.prompt} />
        <p className="soft">
          {item.answers.map(({ answer, by, seq }) => (
            <span key={seq}>{text.answeredBy(answer, by)} </span>
          ))}
          {item.isOpen && <span className="waits">{text.waitsFor}</span>}
        </p>
      </>
    )
  }
  if (item.kind !== 'assistant') return <Cut of={item.text} />
  return (
    <>
      {item.reasoning && (
        <details className="soft">
          <summary>{text.reasoning}</summary>
          <Cut of={item.reasoning} />
        </details>
      )}
      {item.text.text !== '' && <Cut of={item.text} />}
      {item.calls.map((call) => (
        <CallEntry key={call.call} call={call} onSelect={onSelect} />
      ))}
    </>
  )
}

function CallEntry({ call, onSelect }: { readonly call: ChatCall; readonly onSelect: (seq: number) => void }): ReactNode {
  const { tool, input, status, ms, output, endedAt, children } = call
  const isFault = status === 'error' || status === 'denied' || status === 'in-doubt'
  return (
    <details className="chat-call">
      <summary>
        <Glyph of={isFault ? 'fault' : children ? 'child' : 'tool'} />
        <span className="strong">{tool}</span>
        <code className="cut soft">{input.text}</code>
        <span className={isFault ? 'fault' : 'soft'}>{status}</span>
        {ms !== undefined && <span className="number soft">{duration(ms)}</span>}
      </summary>
      {output && <Cut of={output} />}
      <p className="small">
        {endedAt !== undefined && (
          <button type="button" className="link code" onClick={() => onSelect(endedAt)}>
            @{whole(endedAt)}
          </button>
        )}{' '}
        {children?.map((child) => (
          <Link key={child} className="link code" to={threadPath({ thread: child, seq: undefined })}>
            {child}
          </Link>
        ))}
      </p>
    </details>
  )
}

/** A text, with how much of it is not here: the event has the whole. */
function Cut({ of }: { readonly of: ShownText }): ReactNode {
  return (
    <>
      <InertText text={of.text} />
      {of.more !== undefined && <p className="faint small">+ {whole(of.more)}</p>}
    </>
  )
}
