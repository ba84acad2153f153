/** A thread in one row. */
import type { ReactNode } from 'react'
import { useLoaded } from '../data/use-server.tsx'
import { Glyph } from '../design/glyph.tsx'
import { useWords } from '../design/words.tsx'
import { cost, duration, whole } from '../figure/figure.ts'
import { Status } from '../figure/status.tsx'
import type { ThreadItem } from './read-threads.ts'
import { threadLine } from './thread-line.ts'
import { threadsWords } from './words.ts'

const box = { width: 160, height: 16 }

/** The row. */
export function ThreadRow({ item, now }: { readonly item: ThreadItem; readonly now: number }): ReactNode {
  const text = useWords(threadsWords)
  const { thread, incarnation, seq } = item
  const overview = useLoaded({
    of: `overview ${thread} ${incarnation}`,
    version: seq,
    load: (client) => client.getOverview({ thread }, { buckets: 53 }),
  })
  const line = overview.data && threadLine(overview.data, box)
  const origin = item.forkOf ?? item.parent
  return (
    <span className="thread-row">
      <span className="thread-name">
        {origin !== undefined && <Glyph of="child" />}
        <span className="code cut">{thread}</span>
        {origin !== undefined && (
          <span className="faint small cut">
            {item.forkOf === undefined ? text.child : text.fork} {origin}
          </span>
        )}
      </span>
      <Status of={item.status} />
      <span className="cut soft wide-cell">{item.agent ?? ''}</span>
      <span className="wide-cell">
        <svg className="thread-line" viewBox={`0 0 ${box.width} ${box.height}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="thread-base" d={`M0 ${box.height - 0.5}H${box.width}`} />
          {line && <path className="thread-work" d={line.path} />}
          {line?.faults.map((x) => (
            <path key={x} className="thread-fault" d={`M${x * box.width} 0v${box.height}`} />
          ))}
        </svg>
      </span>
      <span className="number soft wide-cell">{line ? cost(line.cost) : ''}</span>
      <span className="number">{whole(seq)}</span>
      <span className="number soft">{text.ago(duration(Math.max(0, now - item.changed)))}</span>
    </span>
  )
}
