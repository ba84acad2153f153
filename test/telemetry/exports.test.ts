/** What other tools read: flame graphs, trace events, OTLP, Prometheus, Markdown. */
import type { LoomEvent } from '@loom-agent/kernel'
import {
  adviceFor,
  type ChromeTrace,
  chat,
  chromeTraceOf,
  markdownOf,
  type OtlpTraces,
  otlpOf,
  prometheusOf,
  runMetrics,
  type SpeedscopeFile,
  skeleton,
  speedscopeOf,
  summarizeMetrics,
  toolChainOf,
  traceIdOf,
  viewOf,
} from '@loom-agent/telemetry'
import { beforeAll, describe, expect, test } from 'vitest'
import { storedThreads, threadsOfLife } from './lives.ts'

const threads: (readonly LoomEvent[])[] = [...storedThreads()]
beforeAll(async () => {
  for (let seed = 101; seed <= 115; seed += 1) threads.push(...(await threadsOfLife(seed)))
}, 120_000)

/** Opens and closes are balanced like brackets, and time does not go back. */
function checkSpeedscope({ profiles, shared }: SpeedscopeFile): void {
  for (const { events, startValue, endValue } of profiles) {
    const open: number[] = []
    let last = startValue
    for (const { type, frame, at } of events) {
      expect(at).toBeGreaterThanOrEqual(last)
      last = at
      expect(shared.frames[frame]).toBeDefined()
      if (type === 'O') open.push(frame)
      else expect(open.pop()).toBe(frame)
    }
    expect(open).toEqual([])
    expect(last).toBeLessThanOrEqual(endValue)
  }
}

/** Slices of one track nest. */
function checkChrome({ traceEvents }: ChromeTrace): void {
  const tracks = new Map<string, { ts: number; end: number }[]>()
  for (const { ph, pid, tid, ts = 0, dur = 0 } of traceEvents) {
    if (ph !== 'X') continue
    expect(Number.isInteger(ts) && Number.isInteger(dur) && dur >= 0).toBe(true)
    const track = `${pid} ${tid}`
    const open = tracks.get(track) ?? []
    tracks.set(track, open)
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= ts && open.length > 0) open.pop()
    const around = open.at(-1)
    if (around) expect(ts + dur).toBeLessThanOrEqual(around.end)
    open.push({ ts, end: ts + dur })
  }
}

function checkOtlp({ resourceSpans }: OtlpTraces): number {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const ids = new Set(spans.map(({ spanId }) => spanId))
  expect(ids.size).toBe(spans.length)
  for (const { traceId, spanId, startTimeUnixNano, endTimeUnixNano } of spans) {
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  }
  return spans.length
}

describe('an export', () => {
  test('for speedscope has balanced frames on every track', () => {
    for (const events of threads) checkSpeedscope(speedscopeOf(viewOf(skeleton, events), { name: 't' }))
  })

  test('for speedscope has a flame graph of tokens that is as wide as the tokens of all models', () => {
    const widths = threads.map((events) => {
      const columns = viewOf(skeleton, events)
      const models = [...columns.kind.keys()].filter((index) => columns.kind[index] !== 7 && columns.kind[index] !== 4)
      const used = models.reduce((sum, index) => sum + (columns.input[index] ?? 0) + (columns.output[index] ?? 0), 0)
      const profile = speedscopeOf(columns, { name: 't' }).profiles.find(({ name }) => name === 'tokens')
      expect(profile?.endValue ?? 0).toBe(used)
      return used
    })
    expect(Math.max(...widths)).toBeGreaterThan(0)
  })

  test('as trace events has slices that nest', () => {
    const all = threads.map((events, index) => ({ name: `t${index}`, columns: viewOf(skeleton, events) }))
    checkChrome(chromeTraceOf(all))
  })

  test('for OpenTelemetry has ids of its own for every span, the same ones every time', () => {
    let spans = 0
    for (const events of threads) {
      const given = { thread: 't', incarnation: `i${spans}`, agent: 'worker', columns: viewOf(skeleton, events) }
      spans += checkOtlp(otlpOf(given))
      expect(otlpOf(given)).toEqual(otlpOf(given))
    }
    expect(spans).toBeGreaterThan(100)
    expect(traceIdOf('a')).not.toBe(traceIdOf('b'))
  })

  test('for Prometheus has lines that its grammar knows, and buckets that only grow', () => {
    const page = prometheusOf(threads.flatMap((events) => viewOf(runMetrics, events)))
    const sample = /^[a-z_]+(\{([a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? -?[0-9.e+]+$/
    let last = { series: '', count: 0 }
    for (const line of page.trimEnd().split('\n')) {
      if (line.startsWith('#')) continue
      expect(line).toMatch(sample)
      const [, series, count] = /^(.+_bucket.*?),?le="[^"]+"\} (\d+)$/.exec(line) ?? []
      if (series === undefined) continue
      if (last.series === series) expect(Number(count)).toBeGreaterThanOrEqual(last.count)
      last = { series, count: Number(count) }
    }
    expect(page).toContain('loom_tool_calls_total{tool_name=')
  })

  test('for Prometheus escapes what would end a label', () => {
    const [run] = viewOf(runMetrics, threads.find((events) => events.some(({ type }) => type === 'run.started')) ?? [])
    if (!run) throw new Error('no run')
    expect(prometheusOf([{ ...run, agent: 'a"\\\n}' }])).toContain('loom_iterations_total{agent="a\\"\\\\\\n}"}')
  })

  test('as Markdown quotes what people and models wrote', () => {
    const items = [
      { seq: 1, time: 0, kind: 'user', run: 'r1', text: { text: '# no heading\n```\n<script>alert(1)</script>\n```' } },
      { seq: 2, time: 0, kind: 'failed', run: 'r1', text: { text: '![x](http://example.com/x.png)', more: 7 }, code: 'LOOM_RUN_FAILED' },
    ] as const
    const page = markdownOf(items, 'A *thread*')
    expect(page).toContain('# A \\*thread\\*')
    expect(page).toContain('````\n# no heading\n```\n<script>alert(1)</script>\n```\n````')
    expect(page).toContain('[7 more characters]')
  })
})

describe('the chain of calls', () => {
  test('has every call once, with its questions and what came before it', () => {
    for (const events of threads) {
      const chain = toolChainOf(viewOf(chat, events))
      const proposed = events.flatMap((event) => (event.type === 'model.replied' ? event.data.parts.filter(({ type }) => type === 'call') : []))
      const isReplaced = events.some((event) => event.type === 'hook.applied' && 'parts' in event.data.patch)
      if (!isReplaced) expect(chain.length).toBe(proposed.length)
      expect(new Set(chain.map(({ call }) => call)).size).toBe(chain.length)
    }
  })
})

describe('advice', () => {
  const summary = summarizeMetrics([])

  test('says nothing about nothing', () => {
    expect(adviceFor(summary)).toEqual([])
  })

  test.each([
    ['tokens', { model: { ...summary.model, input: 150_001 } }],
    ['tool-errors', { tools: { ...summary.tools, calls: 10, successRate: 0.79, mostParallel: 2 } }],
    ['compression-good', { compression: { count: 1, errors: 0, meanRatio: 0.49 } }],
    ['compression-poor', { compression: { count: 1, errors: 0, meanRatio: 0.81 } }],
    ['errors', { errors: { total: 2, rate: 0.11, byKind: { rare: 1, frequent: 5 } } }],
    ['parallel-none', { tools: { ...summary.tools, calls: 2, successRate: 1, mostParallel: 1 } }],
  ])('names the rule %s with its figure', (rule, changed) => {
    const advice = adviceFor({ ...summary, ...changed })
    expect(advice.map((one) => one.rule)).toEqual([rule])
    if (rule === 'errors') expect(advice[0]?.text).toContain('frequent (5)')
  })

  test.each([
    ['tokens', { model: { ...summary.model, input: 150_000 } }],
    ['tool-errors', { tools: { ...summary.tools, calls: 10, successRate: 0.8, mostParallel: 2 } }],
    ['compression', { compression: { count: 1, errors: 0, meanRatio: 0.6 } }],
    ['errors', { errors: { total: 1, rate: 0.1, byKind: {} } }],
  ])('keeps quiet at the threshold of %s', (_, changed) => {
    expect(adviceFor({ ...summary, ...changed })).toEqual([])
  })
})
