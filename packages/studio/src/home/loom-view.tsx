/** The threads of late as a loom: a line each, with its branches. */
import type { ReactNode } from 'react'
import { useWords } from '../design/words.tsx'
import { duration, whole } from '../figure/figure.ts'
import { Status } from '../figure/status.tsx'
import { Link } from '../route/navigation.tsx'
import { threadPath } from '../route/place.ts'
import { type ListedThread, type LoomLine, loomLines } from './loom-lines.ts'
import { homeWords } from './words.ts'

const row = 24
const across = 1000

/** The path of a line: along, and from the line it branches off. */
function pathOf({ from, to, off, isFork }: LoomLine, index: number, height: number): string {
  const y = (index + 0.5) * height
  const x = from * across
  const end = Math.max(to * across, x + 6)
  if (off < 0) return `M${x} ${y}H${end}`
  const above = (off + 0.5) * height
  const bend = isFork ? 12 : 0
  return `M${Math.max(0, x - bend)} ${above}V${y - (isFork ? 8 : 0)}${isFork ? `L${x} ${y}` : ''}H${end}`
}

/** The loom. */
export function LoomView({ items, now }: { readonly items: readonly ListedThread[]; readonly now: number }): ReactNode {
  const text = useWords(homeWords)
  const lines = loomLines(items, now)
  return (
    <div className="loom">
      <ol className="loom-names">
        {lines.map(({ item, depth }) => (
          <li key={item.thread}>
            <Link to={threadPath({ thread: item.thread, seq: undefined })} className="loom-name">
              {Array.from({ length: depth }, (_, index) => (
                <span key={index} className="tree-line" />
              ))}
              <span className="code cut">{item.thread}</span>
              <span className="loom-status">
                <Status of={item.status} />
              </span>
              <span className="loom-figures number soft">
                {whole(item.seq)} <span className="faint">{text.events}</span>
              </span>
              <span className="loom-figures number faint">{text.ago(duration(Math.max(0, now - item.changed)))}</span>
            </Link>
          </li>
        ))}
      </ol>
      <svg className="loom-lines" viewBox={`0 0 ${across} ${lines.length * row}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map((line, index) => (
          <g key={line.item.thread} className={`loom-line ${line.item.status}`}>
            <path d={pathOf(line, index, row)} vectorEffect="non-scaling-stroke" />
            <path
              className="loom-end"
              d={`M${Math.max(line.to * across, line.from * across + 6)} ${index * row + 7}v10`}
              vectorEffect="non-scaling-stroke"
            />
          </g>
        ))}
      </svg>
    </div>
  )
}
