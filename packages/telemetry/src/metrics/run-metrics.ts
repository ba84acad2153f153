/** What each run of a thread did and used: a fold over its events. */
import type { EventOf, EventType, LoomEvent } from '@loom-agent/kernel'
import type { Projection } from '../view/projection.ts'
import { type Durations, noDurations, withDuration } from './durations.ts'

/** How a run stands. */
export type RunStatus = 'running' | 'waiting' | 'done' | 'failed' | 'stopped'

/** Calls of one tool. */
export interface ToolMetrics {
  /** Calls that have their result. */
  readonly calls: number
  /** Those of them whose result is an error. */
  readonly errors: number
  /** Those that were not permitted. */
  readonly denied: number
  /** How long they took. */
  readonly durations: Durations
}

/** What a run did and used. Costs are integer micro-units, times milliseconds. */
export interface RunMetrics {
  /** The id of the run. */
  readonly run: string
  /** The thread of the run. */
  readonly thread: string
  /** The agent that it was started with. */
  readonly agent: string
  /** The model that it was started with. */
  readonly model: string
  /** When it started, in milliseconds since 1970. */
  readonly started: number
  /** When it ended; absent until then. */
  readonly ended?: number
  /** How it stands. */
  readonly status: RunStatus
  /** Turns that were entered. */
  readonly turns: number
  /** Time of driving: waiting for people does not count. */
  readonly drivenMs: number
  /** How long its turns took, of that time. */
  readonly turnDurations: Durations
  /** Model calls; attempts count. */
  readonly modelCalls: number
  /** Model calls that failed. */
  readonly modelErrors: number
  /** Time that models took to reply. */
  readonly modelMs: number
  /** Tokens that were sent. */
  readonly input: number
  /** Tokens that came back. */
  readonly output: number
  /** Tokens of the input that a cache had. */
  readonly cacheRead: number
  /** What is known of the cost. */
  readonly cost: number
  /** How many times something was used whose price is not known. */
  readonly unpriced: number
  /** The largest request, in tokens. */
  readonly largestRequest: number
  /** Calls by the name of their tool. */
  readonly tools: { readonly [tool: string]: ToolMetrics }
  /** The most calls that ran at once. */
  readonly mostParallel: number
  /** Summaries that were made. */
  readonly compressions: number
  /** Summaries that could not be made. */
  readonly compressionErrors: number
  /** Tokens of what was summarised, where they are known. */
  readonly compressedFrom: number
  /** Tokens of the summaries. */
  readonly compressedTo: number
  /** Questions that were asked. */
  readonly questions: number
  /** Time between questions and their answers. */
  readonly answerMs: number
  /** Children that were started. */
  readonly children: number
  /** Errors by their code or kind. */
  readonly errors: { readonly [kind: string]: number }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Growing = Writable<Omit<RunMetrics, 'tools' | 'errors'>> & {
  readonly tools: { [tool: string]: ToolMetrics }
  readonly errors: { [kind: string]: number }
}

interface MetricsState {
  readonly runs: Growing[]
  agent: string
  /** Since when the run is driven; -1 while it is not. */
  since: number
  /** How long the run had been driven when its turn was entered; -1 before the first turn. */
  turnFrom: number
  /** When the event before was stored. */
  last: number
  called: string[]
  running: { [call: string]: true }
  asked: { [question: string]: number }
  queued: { [seq: string]: { agent: string; model: string } }
}

type Handlers = { readonly [T in EventType]?: (state: MetricsState, event: EventOf<T>) => void }

/** The metrics of every run of a thread, in order. */
export const runMetrics: Projection<MetricsState, readonly RunMetrics[]> = {
  name: 'run-metrics',
  version: 1,
  start: () => ({ runs: [], agent: '', since: -1, turnFrom: -1, last: 0, called: [], running: {}, asked: {}, queued: {} }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: MetricsState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
    state.last = event.time
  },
  view: ({ runs }) => runs,
}

const nothing = {
  ...{ turns: 0, drivenMs: 0, modelCalls: 0, modelErrors: 0, modelMs: 0, input: 0, output: 0, cacheRead: 0, cost: 0, unpriced: 0, largestRequest: 0 },
  ...{ mostParallel: 0, compressions: 0, compressionErrors: 0, compressedFrom: 0, compressedTo: 0, questions: 0, answerMs: 0, children: 0 },
}

const change = ({ runs }: MetricsState, changed: (run: Growing) => void): void => {
  const run = runs.at(-1)
  if (run) changed(run)
}

function stopCounting(state: MetricsState, time: number): void {
  if (state.since >= 0) change(state, (run) => (run.drivenMs += Math.max(0, time - state.since)))
  state.since = -1
}

/** The turn under way is over. */
function endTurn(state: MetricsState, time: number): void {
  change(state, (run) => {
    const driven = run.drivenMs + (state.since < 0 ? 0 : Math.max(0, time - state.since))
    if (state.turnFrom >= 0) run.turnDurations = withDuration(run.turnDurations, driven - state.turnFrom)
    state.turnFrom = driven
  })
}

function end(state: MetricsState, time: number, status: RunStatus): void {
  stopCounting(state, time)
  endTurn(state, time)
  state.turnFrom = -1
  change(state, (run) => Object.assign(run, { status, ended: time }))
  Object.assign(state, { running: {}, asked: {} })
}

function goOn(state: MetricsState, time: number): void {
  state.since = time
  change(state, (run) => {
    run.status = 'running'
    delete run.ended
  })
}

type Used = { usage?: { readonly input: number; readonly output: number; readonly cacheRead?: number } | undefined; cost?: number | undefined }

function pay(run: Growing, { usage, cost }: Used): void {
  if (usage) {
    run.input += usage.input
    run.output += usage.output
    run.cacheRead += usage.cacheRead ?? 0
    if (cost === undefined) run.unpriced += 1
  }
  run.cost += cost ?? 0
}

function count(errors: { [kind: string]: number }, kind: string): void {
  errors[kind] = (Object.hasOwn(errors, kind) ? (errors[kind] ?? 0) : 0) + 1
}

function endCall(state: MetricsState, call: string, how: { ms?: number | undefined; error?: string | undefined; isDenied?: true }): void {
  delete state.running[call]
  const name = state.called[Number(call.slice(call.indexOf('.') + 1))] ?? 'unknown'
  change(state, (run) => {
    const tool = (Object.hasOwn(run.tools, name) ? run.tools[name] : undefined) ?? { calls: 0, errors: 0, denied: 0, durations: noDurations() }
    const value: ToolMetrics = {
      calls: tool.calls + 1,
      errors: tool.errors + (how.error === undefined ? 0 : 1),
      denied: tool.denied + (how.isDenied ? 1 : 0),
      durations: withDuration(tool.durations, how.ms ?? 0),
    }
    // A tool may have any name.
    Object.defineProperty(run.tools, name, { value, enumerable: true, writable: true, configurable: true })
    if (how.error !== undefined) count(run.errors, how.error)
  })
}

const handlers: Handlers = {
  'thread.started': (state, { data }) => {
    state.agent = data.agent
  },
  'driver.acquired': (state, { time }) => {
    if (state.since < 0) return
    stopCounting(state, state.last)
    state.since = time
  },
  'run.queued': (state, { seq, data }) => {
    state.queued[seq] = { agent: data.request.agent.name, model: data.request.model }
  },
  'run.started': (state, { thread, time, data }) => {
    const request = 'request' in data ? { agent: data.request.agent.name, model: data.request.model } : state.queued[data.queued]
    if ('queued' in data) delete state.queued[data.queued]
    state.runs.push({
      run: data.run,
      thread,
      agent: request?.agent ?? state.agent,
      model: request?.model ?? '',
      started: time,
      status: 'running',
      ...nothing,
      turnDurations: noDurations(),
      tools: {},
      errors: {},
    })
    Object.assign(state, { since: time, turnFrom: -1, called: [], running: {}, asked: {} })
  },
  'run.suspended': (state, { time }) => {
    stopCounting(state, time)
    change(state, (run) => (run.status = 'waiting'))
  },
  'run.resumed': (state, { time }) => {
    const status = state.runs.at(-1)?.status
    if (status !== 'done' && status !== 'stopped') goOn(state, time)
  },
  'limit.raised': (state, { time }) => {
    if (state.runs.at(-1)?.status === 'stopped') goOn(state, time)
  },
  'run.finished': (state, { time }) => end(state, time, 'done'),
  'run.failed': (state, { time, data }) => {
    end(state, time, 'failed')
    change(state, ({ errors }) => count(errors, data.error.code))
  },
  'run.stopped': (state, { time }) => end(state, time, 'stopped'),
  'turn.entered': (state, { time }) => {
    endTurn(state, time)
    state.called = []
    change(state, (run) => (run.turns += 1))
  },
  'model.requested': (state) => change(state, (run) => (run.modelCalls += 1)),
  'model.replied': (state, { data }) => {
    const { parts, usage, ms = 0 } = data
    state.called = parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
    change(state, (run) => {
      pay(run, data)
      run.modelMs += ms
      run.largestRequest = Math.max(run.largestRequest, usage.input)
    })
  },
  'model.failed': (state, { data }) =>
    change(state, (run) => {
      pay(run, data)
      run.modelErrors += 1
      count(run.errors, data.error.code)
    }),
  'context.compressed': (state, { data }) =>
    change(state, (run) => {
      pay(run, data)
      run.compressions += 1
      run.compressedFrom += data.tokensBefore ?? 0
      run.compressedTo += data.tokensAfter ?? 0
    }),
  'context.compression-failed': (state, { data }) =>
    change(state, (run) => {
      run.compressionErrors += 1
      count(run.errors, data.error.code)
    }),
  'tool.started': (state, { data }) => {
    state.running[data.call] = true
    const now = Object.keys(state.running).length
    change(state, (run) => (run.mostParallel = Math.max(run.mostParallel, now)))
  },
  'tool.finished': (state, { data: { call, status, errorType = 'error', ms } }) =>
    endCall(state, call, { ms, error: status === 'error' ? errorType : undefined }),
  'tool.denied': (state, { data: { call, errorType } }) => endCall(state, call, { error: errorType, isDenied: true }),
  'question.asked': (state, { time, data }) => {
    state.asked[data.id] = time
    change(state, (run) => (run.questions += 1))
  },
  'question.answered': (state, { time, data }) => {
    const asked = Object.hasOwn(state.asked, data.id) ? state.asked[data.id] : undefined
    if (asked === undefined) return
    delete state.asked[data.id]
    change(state, (run) => (run.answerMs += Math.max(0, time - asked)))
  },
  'child.started': (state) => change(state, (run) => (run.children += 1)),
  'child.finished': (state, { data }) => change(state, (run) => pay(run, data)),
}
