/** What would have been shown with another context: a replay of the record, in which no model is called. */

import { type ReactNode, useState } from 'react'
import { useServer } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { Failure } from '../shell/failure.tsx'
import type { ContextChange, EntryChanges, ReplayReport } from './facts.ts'
import type { Opened } from './opened.ts'
import { useExplanation } from './use-explanation.ts'
import { bodyOf, outcomeOf, type Strategy, strategies, type Trial } from './what-if.ts'
import { contextWords } from './words.ts'

type Tried = { readonly report?: ReplayReport; readonly error?: unknown; readonly isRunning?: boolean }

/** The side that tries other contexts. */
export function WhatIfPane({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { client } = useServer()
  const { thread, column, choice } = opened
  const [tried, setTried] = useState<Tried>({})
  const { data } = useExplanation(opened, column.turn, choice.item)
  const run = (trial: Trial): void => {
    setTried({ isRunning: true })
    client.replayThread({ thread }, bodyOf(trial)).then(
      (report) => setTried({ report }),
      (error: unknown) => setTried({ error }),
    )
  }
  return (
    <>
      <p className="soft small">{text.tryHint}</p>
      {data && data.hints.length > 0 && (
        <section className="hints">
          <h2>{text.wouldKeep}</h2>
          {data.hints.map(({ words, change }) => (
            <button
              key={words}
              type="button"
              className="hint"
              disabled={tried.isRunning}
              onClick={() => run({ strategy: 'own', bound: 0, change: change as ContextChange })}
            >
              {words}
            </button>
          ))}
        </section>
      )}
      <OtherStrategy onRun={run} isRunning={tried.isRunning === true} />
      <div aria-live="polite" className="trial">
        {tried.isRunning && <p className="soft">{text.running}</p>}
        {tried.error !== undefined && <Failure error={tried.error} />}
        {tried.report && <Report report={tried.report} item={choice.item} />}
      </div>
    </>
  )
}

function OtherStrategy({ onRun, isRunning }: { readonly onRun: (trial: Trial) => void; readonly isRunning: boolean }): ReactNode {
  const text = useWords(contextWords)
  const [strategy, setStrategy] = useState<Strategy>('everything')
  const [bound, setBound] = useState(0)
  const hasBound = strategy === 'window' || strategy === 'compress'
  return (
    <form
      className="other-strategy"
      onSubmit={(event) => {
        event.preventDefault()
        onRun({ strategy, bound })
      }}
    >
      <h2>{text.tryIt}</h2>
      <label>
        <span className="soft">{text.strategy}</span>
        <select className="field" value={strategy} onChange={({ target }) => setStrategy(strategies.find((one) => one === target.value) ?? 'own')}>
          {strategies.map((one) => (
            <option key={one} value={one}>
              {text.strategies[one]}
            </option>
          ))}
        </select>
      </label>
      {hasBound && (
        <label>
          <span className="soft">{strategy === 'window' ? text.turns : text.most}</span>
          <input className="field" type="number" min={1} required onChange={({ target }) => setBound(Math.floor(target.valueAsNumber) || 0)} />
        </label>
      )}
      <button type="submit" className="button primary" disabled={isRunning}>
        {text.run}
      </button>
    </form>
  )
}

function Report({ report, item }: { readonly report: ReplayReport; readonly item: number | undefined }): ReactNode {
  const text = useWords(contextWords)
  const { totals, kept, lost } = report
  const outcome = item === undefined ? undefined : outcomeOf(report, item)
  return (
    <>
      {outcome && (
        <p className="outcome strong">
          {text.outcome[outcome.as]} {'change' in outcome && <span className="soft">{text.during(outcome.change.turn, outcome.change.turns)}</span>}
        </p>
      )}
      <dl className="figures">
        <Total name={`${text.tokens}, ${text.before}`} value={totals.tokens.recorded} />
        <Total name={text.after} value={totals.tokens.replayed} />
        <Total name={text.differing} value={totals.differing} />
      </dl>
      <Changed name={text.kept} changes={kept} />
      <Changed name={text.lost} changes={lost} />
    </>
  )
}

function Total({ name, value }: { readonly name: string; readonly value: number }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="strong">{whole(Math.round(value))}</dd>
    </div>
  )
}

function Changed({ name, changes }: { readonly name: string; readonly changes: EntryChanges }): ReactNode {
  return (
    <details className="changed" open={changes.entries > 0 && changes.entries <= 10}>
      <summary>
        {name} <span className="strong">{whole(changes.entries)}</span>
      </summary>
      <ul>
        {changes.listed.map(({ seq, text }) => (
          <li key={seq} className="cut">
            <span className="code faint">@{whole(seq)}</span> {text}
          </li>
        ))}
      </ul>
    </details>
  )
}
