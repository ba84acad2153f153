/** The side of the page: why, what changed, the exact request, and what would have been otherwise. */
import type { ReactNode } from 'react'
import { useLoaded } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { whole } from '../figure/figure.ts'
import { InertText } from '../inert/inert-text.tsx'
import { Failure, Skeleton } from '../shell/failure.tsx'
import { JsonView } from '../workbench/detail/json-view.tsx'
import { ChangesPane } from './changes-pane.tsx'
import { sides } from './choice.ts'
import { type Opened, selectedRow } from './opened.ts'
import { tokensOf } from './parts.ts'
import { useExplanation } from './use-explanation.ts'
import { stateIn } from './weave.ts'
import { WhatIfPane } from './what-if-pane.tsx'
import { contextWords } from './words.ts'

const panes = { reason: ReasonPane, changes: ChangesPane, request: RequestPane, 'what-if': WhatIfPane } as const

/** The side. */
export function SidePane({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { side } = opened.choice
  const Shown = panes[side]
  return (
    <aside className="detail context-side">
      <div className="tabs" role="tablist" aria-label={text.heading}>
        {sides.map((one) => (
          <button key={one} type="button" role="tab" className="tab" aria-selected={one === side} onClick={() => opened.choose({ side: one })}>
            {text.sides[one]}
          </button>
        ))}
      </div>
      <Shown opened={opened} />
    </aside>
  )
}

function ReasonPane({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { column, choice } = opened
  const row = selectedRow(opened)
  const { data, error } = useExplanation(opened, column.turn, choice.item)
  if (error !== undefined) return <Failure error={error} />
  if (!data) return <Skeleton rows={4} />
  const [now, full] = row ? tokensOf(data, row) : [0, 0]
  return (
    <>
      {row && (
        <header>
          <h2>{text.state[stateIn(row, column.turn)]}</h2>
          <p className="soft small">{`@${whole(row.seq)} · ${text.takes(whole(now), whole(full))}`}</p>
        </header>
      )}
      {!row && <p className="soft">{text.choose}</p>}
      {data.asked?.found.slice(0, 1).map(({ excerpt }) => (
        <pre key="excerpt" className="inert excerpt">
          {excerpt}
        </pre>
      ))}
      <div className="reason">
        <InertText text={data.words} />
      </div>
      {data.rebase && <p className="soft small">{text.decided(data.rebase.turn, data.rebase.reason)}</p>}
      {data.hints.length > 0 && (
        <button type="button" className="button" onClick={() => opened.choose({ side: 'what-if' })}>
          {text.wouldKeep}
        </button>
      )}
    </>
  )
}

function RequestPane({ opened }: { readonly opened: Opened }): ReactNode {
  const text = useWords(contextWords)
  const { thread, version, column } = opened
  const { data, error } = useLoaded({
    of: `request ${thread} ${column.seq}`,
    version,
    load: (client) => client.getRequest({ thread }, { at: column.seq }),
  })
  if (error !== undefined) return <Failure error={error} />
  if (!data) return <Skeleton rows={8} />
  return (
    <>
      <p className="soft small">
        {data.model} · <span className="code">{data.at}</span>
      </p>
      <p className={data.isVerified ? 'soft small' : 'fault small'}>{data.isVerified ? text.verified : text.unverified}</p>
      <JsonView value={data.request} />
    </>
  )
}
