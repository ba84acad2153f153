/** A fork before it is made: what is different, what that would come to, and making it. */
import type { ChainedCall } from '@loom-agent/telemetry'
import { type ReactNode, useState } from 'react'
import { useLoaded, useServer } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { go, Link } from '../route/navigation.tsx'
import { momentIn, type Place, searchOf, threadPath } from '../route/place.ts'
import { Failure, NothingHere, Skeleton } from '../shell/failure.tsx'
import { ForkPlanView } from './fork-plan-view.tsx'
import { type Effects, editable, effectChoices, type ForkBody, readFork } from './fork-request.ts'
import { forkWords } from './words.ts'

/** The page of a fork: `/fork?from=thread@seq`. */
export function ForkPage({ place }: { readonly place: Place }): ReactNode {
  const text = useWords(forkWords)
  const from = place.query.get('from') ?? ''
  const { thread, seq } = momentIn(from)
  const calls = useLoaded(seq === undefined ? undefined : { of: `calls of ${from}`, load: (client) => client.getToolChain({ thread }, { at: seq }) })
  document.title = text.forkTitle(from)
  if (seq === undefined) return <NothingHere />
  if (calls.error !== undefined) return <Failure error={calls.error} onRetry={() => location.reload()} />
  return calls.data ? <OpenedFork thread={thread} at={seq} calls={editable(calls.data)} /> : <Skeleton rows={8} />
}

interface OpenedProps {
  readonly thread: string
  readonly at: number
  readonly calls: readonly ChainedCall[]
}

function OpenedFork({ thread, at, calls }: OpenedProps): ReactNode {
  const text = useWords(forkWords)
  const [effects, setEffects] = useState<Effects>('ask')
  const [call, setCall] = useState<string>()
  const [result, setResult] = useState('')
  const [isJson, setIsJson] = useState(false)
  const read = readFork({ at, effects, call, result, isJson })
  return (
    <div className="page fork">
      <header>
        <h1>
          {text.fork}{' '}
          <Link className="link code" to={threadPath({ thread, seq: at })}>
            {thread}@{at}
          </Link>
        </h1>
        <p className="soft">{text.forkHint}</p>
      </header>
      <section className="fork-form">
        <label className="fork-field">
          <span className="soft">{text.edit}</span>
          <select className="field" value={call ?? ''} onChange={({ target }) => setCall(target.value || undefined)}>
            <option value="">{text.noEdit}</option>
            {calls.map((one) => (
              <option key={one.call} value={one.call}>
                {`${one.call} ${one.tool} ${one.input.text}`.slice(0, 80)}
              </option>
            ))}
          </select>
        </label>
        {call !== undefined && (
          <>
            <label className="fork-field">
              <span className="soft">{text.result}</span>
              <textarea className="field code control-field" rows={3} value={result} onChange={({ target }) => setResult(target.value)} />
            </label>
            <label className="check">
              <input type="checkbox" checked={isJson} onChange={({ target }) => setIsJson(target.checked)} />
              {text.isJson}
            </label>
          </>
        )}
        <EffectsField effects={effects} onChoose={setEffects} />
      </section>
      {'problem' in read ? (
        <p className="fault" role="alert">
          {text.notJson}
        </p>
      ) : (
        <Planned thread={thread} body={read.body} />
      )}
    </div>
  )
}

function EffectsField({ effects, onChoose }: { readonly effects: Effects; readonly onChoose: (effects: Effects) => void }): ReactNode {
  const text = useWords(forkWords)
  return (
    <label className="fork-field">
      <span className="soft">{text.effects}</span>
      <select className="field" value={effects} onChange={({ target }) => onChoose(target.value as Effects)}>
        {effectChoices.map((one) => (
          <option key={one} value={one}>
            {text.effectNames[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The plan, and the button. What is made is what the plan was shown for. */
function Planned({ thread, body }: { readonly thread: string; readonly body: ForkBody }): ReactNode {
  const text = useWords(forkWords)
  const { client } = useServer()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const plan = useLoaded({ of: `plan ${thread} ${JSON.stringify(body)}`, load: (of) => of.planFork({ thread }, body) })
  const create = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const fork = await client.forkThread({ thread }, { ...body, resume: true })
      go(`/compare${searchOf({ a: thread, b: fork.thread })}`)
    } catch (caught) {
      setError(caught)
      setIsBusy(false)
    }
  }
  if (plan.error !== undefined) return <Failure error={plan.error} />
  if (!plan.data) return <Skeleton rows={4} />
  return (
    <>
      <ForkPlanView plan={plan.data} />
      <footer className="control-buttons">
        <button type="button" className="button primary" disabled={isBusy} onClick={() => void create()}>
          {text.create}
        </button>
        <span className="faint small">{text.createHint}</span>
      </footer>
      {error !== undefined && (
        <p role="alert">
          <span className="fault strong">{text.notMade}</span> {error instanceof Error ? error.message : String(error)}
        </p>
      )}
    </>
  )
}
