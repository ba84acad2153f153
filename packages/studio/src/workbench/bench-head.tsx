/** The head of the workbench: which thread it is, how it stands, and what it had come to at the moment. */
import { type ReactNode, useMemo } from 'react'
import { contextPath } from '../context/choice.ts'
import { contextWords } from '../context/words.ts'
import { useWords } from '../design/words.tsx'
import { cost, duration, tokens, whole } from '../figure/figure.ts'
import { Status } from '../figure/status.tsx'
import { Link } from '../route/navigation.tsx'
import { momentIn, threadPath } from '../route/place.ts'
import type { Bench } from './bench/bench.ts'
import { figuresAt, seqTimes, timeOfSeq } from './moment/figures-at.ts'
import { benchWords } from './words/words.ts'

/** The head. */
export function BenchHead({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const ofContext = useWords(contextWords)
  const { head, columns, at, chart, seq } = bench
  const figures = useMemo(() => figuresAt(columns, at), [columns, at])
  const times = useMemo(() => seqTimes(columns), [columns])
  const spent = seq === undefined ? chart.now : timeOfSeq(times, at)
  return (
    <header className="bench-head">
      <h1 className="code cut">{head.thread}</h1>
      <Status of={head.status} />
      {head.agent !== undefined && <span className="soft">{head.agent}</span>}
      {head.forkOf !== undefined && (
        <span className="soft cut">
          {text.forkOf}{' '}
          <Link className="link code" to={threadPath(momentIn(head.forkOf))}>
            {head.forkOf}
          </Link>
        </span>
      )}
      {head.parent !== undefined && (
        <span className="soft cut">
          {text.childOf}{' '}
          <Link className="link code" to={threadPath(momentIn(head.parent))}>
            {head.parent}
          </Link>
        </span>
      )}
      <Link className="link" to={contextPath({ thread: head.thread, seq })}>
        {ofContext.open}
      </Link>
      <span className="grow" />
      <dl className="figures">
        <Figure name={text.events} value={whole(at)} hint={text.eventsHint} />
        <Figure name={text.turns} value={whole(figures.turns)} hint={text.turnsHint} />
        <Figure name={text.calls} value={whole(figures.calls)} hint={text.callsHint} />
        <Figure
          name={text.tokens}
          value={tokens(figures.input + figures.output)}
          hint={text.tokensHint(whole(figures.input), whole(figures.output))}
        />
        <Figure name={text.cost} value={cost(figures.cost, figures.unpriced)} hint={text.costHint} />
        {figures.errors > 0 && <Figure name={text.errors} value={whole(figures.errors)} hint={text.errorsHint} isFault />}
        <Figure name={text.time} value={duration(spent)} hint={text.time} />
      </dl>
    </header>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly isFault?: boolean
}

function Figure({ name, value, hint, isFault = false }: FigureProps): ReactNode {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd className={isFault ? 'fault strong' : 'strong'}>{value}</dd>
    </div>
  )
}
