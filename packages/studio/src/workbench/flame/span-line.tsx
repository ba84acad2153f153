/** One span in one line: what the pointer is at, or what is selected. Without either, what the shapes mean. */
import { type Span, spanAt } from '@loom-agent/telemetry'
import type { ReactNode } from 'react'
import { type Category, categories, categoryOfSpan } from '../../design/category.ts'
import { Glyph } from '../../design/glyph.tsx'
import { useWords } from '../../design/words.tsx'
import { cost, duration, tokens, whole } from '../../figure/figure.ts'
import { benchWords } from '../words/words.ts'
import type { Chart, Rectangle } from './rectangles.ts'

interface SpanLineProps {
  readonly chart: Chart
  readonly rectangle: Rectangle | undefined
  readonly selected: number
}

/** The line below the chart. */
export function SpanLine({ chart, rectangle, selected }: SpanLineProps): ReactNode {
  const text = useWords(benchWords)
  if (rectangle && rectangle.count > 1) return <span className="soft">{text.merged(whole(rectangle.count))}</span>
  const index = rectangle?.index ?? selected
  return index < 0 ? <Legend /> : <SpanFacts span={spanAt(chart.columns, index)} until={chart.columns.base + chart.now} />
}

/** What a span is, how it stands, how long it took and what it used. */
export function SpanFacts({ span, until }: { readonly span: Span; readonly until: number }): ReactNode {
  const text = useWords(benchWords)
  const { kind, name, status, start, end = until, input, output } = span
  const used = input + output > 0
  return (
    <span className="span-facts">
      <Glyph of={categoryOfSpan(kind)} />
      <span className="faint">{text.kinds[kind]}</span>
      {kind !== name && <span className="strong cut">{name}</span>}
      <span className={status === 'error' || status === 'denied' ? 'fault' : 'soft'}>{text.spanStatus[status]}</span>
      <span className="number">{duration(Math.max(0, end - start))}</span>
      {used && <span className="number soft">{`${tokens(input)} → ${tokens(output)}`}</span>}
      {used && <span className="number soft">{cost(span.cost ?? 0, span.cost === undefined ? 1 : 0)}</span>}
    </span>
  )
}

const named: { readonly [C in Exclude<Category, 'frame'>]: 'context' | 'model' | 'tool' | 'step' | 'question' | 'child' } = {
  context: 'context',
  model: 'model',
  tool: 'tool',
  step: 'step',
  people: 'question',
  child: 'child',
}

function Legend(): ReactNode {
  const text = useWords(benchWords)
  return (
    <span className="legend">
      {categories.map((category) => (
        <span key={category}>
          <Glyph of={category} /> {text.kinds[named[category]]}
        </span>
      ))}
    </span>
  )
}
