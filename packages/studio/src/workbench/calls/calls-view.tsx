/** The calls of the thread, one after another: what was called, what it was allowed by, what came of it. */
import type { ChainedCall } from '@loom-agent/telemetry'
import type { ReactNode } from 'react'
import { useLoaded } from '../../data/use-server.tsx'
import { Glyph } from '../../design/glyph.tsx'
import { useWords } from '../../design/words.tsx'
import { duration } from '../../figure/figure.ts'
import { VirtualList } from '../../list/virtual-list.tsx'
import { Empty, Failure, Skeleton } from '../../shell/failure.tsx'
import type { Bench } from '../bench/bench.ts'
import { benchWords } from '../words/words.ts'
import { callOfSeq } from './call-of-seq.ts'

/** The chain of calls, up to the moment. */
export function CallsView({ bench }: { readonly bench: Bench }): ReactNode {
  const text = useWords(benchWords)
  const { head, at, seq, select } = bench
  const loaded = useLoaded({
    of: `calls ${head.thread} ${head.incarnation}`,
    version: at,
    load: (client) => client.getToolChain({ thread: head.thread }, { at }),
  })
  if (loaded.error !== undefined) return <Failure error={loaded.error} />
  const calls = loaded.data
  if (!calls) return <Skeleton rows={6} />
  if (calls.length === 0) return <Empty title={text.noCalls} />
  return (
    <>
      <div className="list-head call-row" aria-hidden="true">
        <span>{text.call}</span>
        <span>{text.tool}</span>
        <span>{text.status}</span>
        <span className="number">{text.took}</span>
        <span>{text.result}</span>
      </div>
      <VirtualList
        label={text.viewNames.calls}
        id="call"
        count={calls.length}
        current={seq === undefined ? -1 : callOfSeq(calls, at)}
        onCurrent={(index) => {
          const call = calls[index]
          if (call) select(call.endedAt ?? call.proposedAt)
        }}
        isTall
      >
        {(index) => (calls[index] ? <CallRow call={calls[index]} /> : null)}
      </VirtualList>
    </>
  )
}

function CallRow({ call: { call, tool, input, status, ms, output, questions, children } }: { readonly call: ChainedCall }): ReactNode {
  const text = useWords(benchWords)
  const isFault = status === 'error' || status === 'denied' || status === 'in-doubt'
  const answers = questions.flatMap((question) => question.answers)
  return (
    <span className="call-row">
      <span className="code faint">{call}</span>
      <span className="call-what">
        <span className="call-tool">
          <Glyph of={isFault ? 'fault' : children ? 'child' : 'tool'} /> <span className="strong cut">{tool}</span>
        </span>
        <code className="cut soft">{input.text}</code>
      </span>
      <span className="call-what">
        <span className={isFault ? 'fault' : ''}>{status}</span>
        <span className="cut faint small">{answers.map(({ answer, by }) => text.answeredBy(answer, by)).join(', ')}</span>
      </span>
      <span className="number soft">{ms === undefined ? '' : duration(ms)}</span>
      <span className="cut soft">{output?.text.trimStart() ?? ''}</span>
    </span>
  )
}
