/** What a fork would reuse, run and risk. */
import type { Client } from '@loom-agent/server/client'
import type { ReactNode } from 'react'
import { Glyph } from '../design/glyph.tsx'
import { useWords } from '../design/words.tsx'
import { cost, tokens, whole } from '../figure/figure.ts'
import { forkWords } from './words.ts'

type ForkPlan = Awaited<ReturnType<Client['planFork']>>

const price = (known: number | undefined): string => (known === undefined ? '?' : cost(known))

/** The plan. */
export function ForkPlanView({ plan }: { readonly plan: ForkPlan }): ReactNode {
  const text = useWords(forkWords)
  const { from, reused, estimate, calls, unsafe } = plan
  return (
    <section className="fork-plan" aria-label={text.plan}>
      <h2>{text.plan}</h2>
      <dl className="fork-figures">
        <dt>{text.cut}</dt>
        <dd className="code">{from}</dd>
        <dt>{text.reused}</dt>
        <dd>
          {text.figures(whole(reused.events), whole(reused.turns), tokens(reused.tokens))} · {price(reused.cost)}
        </dd>
        <dt>{text.estimate}</dt>
        <dd>
          {text.liveFigures(whole(estimate.turns), tokens(estimate.tokens))} · ≈ {price(estimate.cost)}
        </dd>
      </dl>
      <h2>{text.calls}</h2>
      {calls.length === 0 && <p className="soft">{text.noCalls}</p>}
      {unsafe.length > 0 && <p className="fault strong">{text.unsafe(unsafe.length)}</p>}
      <ol className="fork-calls">
        {calls.map(({ call, tool, effect, fate }) => (
          <li key={call} className="fork-call">
            <Glyph of={unsafe.some((one) => one.call === call) ? 'fault' : 'tool'} />
            <span className="code faint">{call}</span>
            <span className="strong cut">{tool}</span>
            <span className="soft">{effect}</span>
            <span>{text.fates[fate]}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
