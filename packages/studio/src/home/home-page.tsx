/** The first page: who waits, what runs, what went wrong, what it has cost today. */
import type { ReactNode } from 'react'
import { useChanges, useLoaded, useNow } from '../data/use-server.tsx'
import { Glyph } from '../design/glyph.tsx'
import { useWords } from '../design/words.tsx'
import { cost, tokens, whole } from '../figure/figure.ts'
import { Link } from '../route/navigation.tsx'
import { searchOf } from '../route/place.ts'
import { Failure, Skeleton } from '../shell/failure.tsx'
import { FirstRunGuide } from './first-run-guide.tsx'
import { LoomView } from './loom-view.tsx'
import { homeWords } from './words.ts'

const shown = 40

/** The beginning of this day, in milliseconds since 1970. */
const midnight = (now: number): number => new Date(now).setHours(0, 0, 0, 0)

/** The first page. */
export function HomePage(): ReactNode {
  const text = useWords(homeWords)
  const now = useNow(5_000)
  const changes = useChanges()
  const since = midnight(now)
  const threads = useLoaded({ of: 'latest threads', version: changes, load: (client) => client.listThreads({ sort: 'latest', limit: shown }) })
  document.title = text.title
  if (threads.error !== undefined && !threads.data) return <Failure error={threads.error} onRetry={() => location.reload()} />
  if (!threads.data) return <Skeleton rows={12} />
  if (threads.data.items.length === 0) return <FirstRunGuide />
  return (
    <div className="page">
      <h1 className="unseen">{text.heading}</h1>
      <Today since={since} version={changes} />
      <Questions version={changes} />
      <section>
        <header className="section-head">
          <h2>{text.threads}</h2>
          <Link className="link" to="/threads">
            {text.allThreads}
          </Link>
        </header>
        <LoomView items={threads.data.items} now={now} />
      </section>
    </div>
  )
}

function Today({ since, version }: { readonly since: number; readonly version: number }): ReactNode {
  const text = useWords(homeWords)
  const metrics = useLoaded({ of: `metrics ${since}`, version, load: (client) => client.getMetrics({ since }) })
  const summary = metrics.data?.summary
  if (!summary) return <section aria-busy="true" className="today" />
  const { execution, model } = summary
  return (
    <section className="today" aria-label={text.today}>
      <h2>{text.today}</h2>
      <dl className="figures large">
        <div title={text.runsHint}>
          <dd>{whole(execution.runs)}</dd>
          <dt>{text.runs}</dt>
        </div>
        <div title={text.costHint}>
          <dd>{cost(model.cost, model.unpriced)}</dd>
          <dt>{text.cost}</dt>
        </div>
        <div title={text.tokensHint(whole(model.input), whole(model.output))}>
          <dd>{tokens(model.input + model.output)}</dd>
          <dt>{text.tokens}</dt>
        </div>
        <div title={text.cacheHint}>
          <dd>{model.input === 0 ? '—' : `${Math.round((100 * model.cacheRead) / model.input)} %`}</dd>
          <dt>{text.cache}</dt>
        </div>
        <div>
          <dd>{whole(execution.byStatus.waiting)}</dd>
          <dt>{text.waiting}</dt>
        </div>
        <div title={text.failedHint}>
          <dd className={execution.byStatus.failed > 0 ? 'fault' : ''}>{whole(execution.byStatus.failed)}</dd>
          <dt>{text.failed}</dt>
        </div>
      </dl>
    </section>
  )
}

function Questions({ version }: { readonly version: number }): ReactNode {
  const text = useWords(homeWords)
  const questions = useLoaded({ of: 'questions', version, load: (client) => client.listQuestions() })
  const items = questions.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section>
      <header className="section-head">
        <h2>{text.questions}</h2>
        <Link className="link" to="/inbox">
          {text.allQuestions}
        </Link>
      </header>
      <ol className="questions">
        {items.slice(0, 8).map(({ id, thread, prompt, call }) => (
          <li key={id}>
            <Link to={`/inbox${searchOf({ question: id })}`} className="question-row">
              <Glyph of="people" />
              <span className="cut">{prompt}</span>
              <code className="cut soft">{call ? `${call.tool} ${JSON.stringify(call.input)}` : ''}</code>
              <span className="faint cut">{text.asks(thread)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
