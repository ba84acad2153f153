/** What is open on the thread now: what the agent does, or what it waits for. */
import { spanAt } from '@loom-agent/telemetry'
import type { ReactNode } from 'react'
import { useLoaded, useNow } from '../../data/use-server.tsx'
import { useWords } from '../../design/words.tsx'
import { Status } from '../../figure/status.tsx'
import { Link } from '../../route/navigation.tsx'
import { searchOf } from '../../route/place.ts'
import type { Bench } from '../bench/bench.ts'
import { SpanFacts } from '../flame/span-line.tsx'
import { figuresAt } from '../moment/figures-at.ts'
import { benchWords } from '../words/words.ts'

/** The status of the agent on this thread. */
export function NowPane({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const now = useNow(1_000)
  const { head, columns, at, select } = bench
  const { open } = figuresAt(columns, at)
  const { thread, seq, status } = head
  const questions = useLoaded(
    status === 'waiting' ? { of: `questions ${thread}`, version: seq, load: (client) => client.listQuestions({ thread }) } : undefined,
  )
  return (
    <>
      <header className="detail-head">
        <h2>{text.nothingSelected}</h2>
        <span className="grow" />
        <Status of={status} />
      </header>
      {open.length === 0 ? (
        <p className="soft">{text.atRest}</p>
      ) : (
        <ol className="open-spans" aria-label={text.opened}>
          {open.map((index) => {
            const span = spanAt(columns, index)
            return (
              <li key={index}>
                <button type="button" className="open-span" onClick={() => select(span.from)}>
                  <SpanFacts span={span} until={now} />
                </button>
              </li>
            )
          })}
        </ol>
      )}
      {questions.data?.items.map(({ id, prompt, call }) => (
        <section key={id} className="question">
          <h2>{text.waitsFor}</h2>
          <p>{prompt}</p>
          <Link className="link" to={`/inbox${searchOf({ question: id })}`}>
            {text.answerIt}
          </Link>
          {call && <pre className="inert">{`${call.tool} ${JSON.stringify(call.input, undefined, 1)}`}</pre>}
        </section>
      ))}
      <p className="faint small">{text.nowHint}</p>
    </>
  )
}
