/** Views agree with frames, after every event of real threads, and can be stored and continued anywhere (VIEW-1, VIEW-2). */
import { emptyFrame, evolve, type Frame, items, type LoomEvent } from '@loom-agent/kernel'
import {
  type Columns,
  cellOf,
  chat,
  contextMatrix,
  costTreeOf,
  fileChanges,
  headerOf,
  type Projection,
  runMetrics,
  type Span,
  skeleton,
  spansOf,
  steps,
  viewOf,
} from '@loom-agent/telemetry'
import { beforeAll, describe, expect, test } from 'vitest'
import { storedThreads, threadsOfLife } from './lives.ts'

const lives = Number(process.env['LOOM_VIEW_LIVES'] ?? 25)
const threads: (readonly LoomEvent[])[] = [...storedThreads()]
beforeAll(async () => {
  for (let seed = 1; seed <= lives; seed += 1) threads.push(...(await threadsOfLife(seed)))
}, 120_000)

/** Folds frames and a view together, and looks at both after every event. */
function beside<State, View>(projection: Projection<State, View>, look: (view: View, frame: Frame, event: LoomEvent) => void): number {
  let compared = 0
  for (const events of threads) {
    const state = projection.start()
    let frame = emptyFrame(events[0]?.thread ?? '')
    for (const event of events) {
      frame = evolve(frame, event)
      projection.apply(state, event)
      look(projection.view(state), frame, event)
      compared += 1
    }
  }
  return compared
}

describe('a view', () => {
  test.each([skeleton, chat, contextMatrix, runMetrics, steps, fileChanges] as readonly Projection<unknown, unknown>[])(
    'of the kind $name continues from a stored state as if it had never been stored',
    (projection) => {
      for (const events of threads) {
        const whole = viewOf(projection, events)
        for (const cut of new Set([0, 1, Math.floor(events.length / 3), Math.floor(events.length / 2), events.length - 1])) {
          const early = projection.start()
          for (const event of events.slice(0, cut)) projection.apply(early, event)
          const restored = JSON.parse(JSON.stringify(early)) as unknown
          for (const event of events.slice(cut)) projection.apply(restored, event)
          expect(projection.view(restored)).toEqual(whole)
        }
      }
    },
  )

  test('of the context has the entries of the history, in their order', () => {
    const compared = beside(contextMatrix, ({ entries }, { history }, event) => {
      const expected = [...items(history)].map(({ seq, origin }) => `${seq} ${origin}`)
      expect(
        entries.map(({ seq, origin }) => `${seq} ${origin}`),
        `${event.thread}@${event.seq} ${event.type}`,
      ).toEqual(expected)
    })
    expect(compared).toBeGreaterThan(lives * 20)
  })

  test('of the context shows each entry of a request as its rebase says', () => {
    let cells = 0
    for (const events of threads) {
      const matrix = viewOf(contextMatrix, events)
      matrix.requests.forEach((request, column) => {
        const segments = matrix.rebases[request.rebase]?.segments ?? []
        for (let row = 0; row < request.entries; row += 1) {
          const segment = segments.find(({ to }) => row < to)
          const { presence } = cellOf(matrix, row, column)
          expect(presence === 'dropped').toBe(segment?.as === 'dropped')
          expect(presence === 'summary').toBe(segment?.as === 'summary')
          cells += 1
        }
        expect(cellOf(matrix, request.entries, column).presence).toBe('absent')
      })
    }
    expect(cells).toBeGreaterThan(100)
  })

  test('of metrics has the turns, the tokens, the cost and the driven time of the run', () => {
    beside(runMetrics, (runs, { run, turn }, event) => {
      if (!run) return
      const metrics = runs.at(-1)
      const place = `${event.thread}@${event.seq} ${event.type}`
      expect(metrics?.run, place).toBe(run.id)
      const driven = run.since === undefined ? run.driven : metrics?.drivenMs
      expect({ ...pick(metrics), driven: metrics?.drivenMs }, place).toEqual({
        input: run.usage.input,
        output: run.usage.output,
        cost: run.cost,
        unpriced: run.unpriced,
        turns: Math.max(0, turn - run.firstTurn + 1),
        driven,
      })
    })
  })

  test('of costs adds up to what the runs have used', () => {
    for (const events of threads) {
      const { input, output, cost } = costTreeOf(viewOf(skeleton, events))
      const runs = viewOf(runMetrics, events)
      const sum = (of: (run: (typeof runs)[number]) => number): number => runs.reduce((total, run) => total + of(run), 0)
      expect({ input, output }).toEqual({ input: sum((run) => run.input), output: sum((run) => run.output) })
      if (runs.every(({ unpriced }) => unpriced === 0)) expect(cost).toBe(sum((run) => run.cost))
    }
  })

  test('of a chat ends with every question answered that the frame does not hold', () => {
    beside(chat, (view, frame, event) => {
      const open = view.flatMap((item) => (item.kind === 'question' && item.isOpen ? [item.id] : []))
      const isOver = frame.run?.status === 'finished' || frame.run?.status === 'stopped'
      if (!isOver) expect(open.toSorted(), `${event.thread}@${event.seq} ${event.type}`).toEqual(Object.keys(frame.questions).toSorted())
    })
  })

  test('in one line says something of every event and stays short', () => {
    for (const event of threads.flat()) {
      const { label, type } = headerOf(event)
      expect(label.length, type).toBeLessThanOrEqual(120)
      expect(label).not.toContain('\n')
    }
  })
})

describe('a skeleton', () => {
  test('has each span inside of the one around it, and no lane of a turn twice at a time', () => {
    for (const events of threads) checkSpans(viewOf(skeleton, events), events)
  })

  test('has a span for every model call, every call that ended and every child', () => {
    for (const events of threads) {
      const spans = [...spansOf(viewOf(skeleton, events))]
      const count = (kind: Span['kind']): number => spans.filter((span) => span.kind === kind).length
      const of = (type: string): readonly LoomEvent[] => events.filter((event) => event.type === type)
      expect(count('model')).toBe(of('model.requested').length)
      expect(count('child')).toBe(of('child.started').length)
      expect(count('turn')).toBe(of('turn.entered').length)
      expect(count('run')).toBe(of('run.started').length)
      expect(count('question')).toBe(of('question.asked').length)
      const ended = new Set(events.flatMap((event) => (event.type === 'tool.finished' ? [event.data.call] : [])))
      for (const call of ended) expect(spans.some((span) => span.kind === 'tool' && span.link === call)).toBe(true)
    }
  })

  test('has nothing open when its run has ended', () => {
    for (const events of threads) {
      const last = events.findLast(({ type }) => type.startsWith('run.') && !type.endsWith('-requested') && type !== 'run.queued')
      if (!last || !['run.finished', 'run.failed', 'run.stopped'].includes(last.type)) continue
      const open = [...spansOf(viewOf(skeleton, events))].filter(({ end, from }) => end === undefined && from < last.seq)
      expect(open, `${last.thread}`).toEqual([])
    }
  })
})

function checkSpans(columns: Columns, events: readonly LoomEvent[]): void {
  const spans = [...spansOf(columns)]
  // The clocks of lives jump.
  const last = events.reduce((latest, { time }) => Math.max(latest, time), 0)
  for (const span of spans) {
    expect(span.parent).toBeLessThan(span.index)
    expect(span.end ?? last).toBeGreaterThanOrEqual(span.start)
    expect(span.to).toBeGreaterThanOrEqual(span.from)
    const parent = spans[span.parent]
    expect(span.kind === 'run').toBe(parent === undefined)
  }
  const calls = spans.filter(({ kind, status }) => kind === 'tool' && status !== 'denied')
  for (const one of calls) {
    const beside = calls.filter(
      ({ index, parent, lane, from, to }) => index !== one.index && parent === one.parent && lane === one.lane && from < one.to && one.from < to,
    )
    // A call that only reads has its intent and its end in one event.
    expect(beside.filter(({ from, to }) => from !== to).length * Number(one.from !== one.to)).toBe(0)
  }
}

const pick = (metrics: { input: number; output: number; cost: number; unpriced: number; turns: number } | undefined): object => ({
  input: metrics?.input,
  output: metrics?.output,
  cost: metrics?.cost,
  unpriced: metrics?.unpriced,
  turns: metrics?.turns,
})
