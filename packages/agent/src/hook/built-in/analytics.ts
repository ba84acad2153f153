/** One record for each run. */
import type { Frame, Run, Usage } from '@loom-agent/kernel'
import { notify } from '../../platform/call-user.ts'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { knownCost } from '../../types/known-cost.ts'
import { endedCalls, endings, type ObservingHook } from './observing-hook.ts'

/** What is recorded of a run. */
export interface RunRecord {
  /** The id of the thread. */
  readonly thread: string
  /** The id of the run on its thread. */
  readonly run: string
  /** The name of the agent. */
  readonly agent: string
  /** How the run ended. */
  readonly outcome: 'done' | 'stopped' | 'failed'
  /** Why it stopped or failed. */
  readonly reason?: string
  /** Turns that the run took. */
  readonly turns: number
  /** For each tool how often it was called, and how often the result was an error. */
  readonly calls: { readonly [tool: string]: { readonly count: number; readonly errors: number } }
  /** Tokens of its model calls, those of its children included. */
  readonly tokens: Usage
  /** Integer micro-units; absent when a price is not known. */
  readonly cost?: number
  /** Milliseconds of driving: waiting for people does not count. */
  readonly duration: number
}

/** Where records go. */
export interface AnalyticsOptions {
  /** Takes each record. What it throws is ignored. */
  readonly sink: (record: RunRecord) => unknown
}

/**
 * Passes one record to the sink whenever a run ends. It is made of the run's own facts, so it is whole also when other processes drove the run before.
 *
 * A run that is resumed after a failure or a limit is recorded again at its next end: thread and run name it.
 *
 * @example
 * agent({ model, hooks: [analytics({ sink: (record) => rows.push(record) })] })
 */
export function analytics(options: AnalyticsOptions): ObservingHook {
  checkOptions('analytics', options, { sink: expected.required(expected.function) })
  return {
    name: 'analytics',
    observe(event, frame) {
      const { run } = frame
      if (run && run.id === event.run && endings.has(event.type)) notify(options.sink, recordOf(frame, run))
    },
  }
}

const outcomes = { finished: 'done', stopped: 'stopped', failed: 'failed', active: 'failed', suspended: 'failed' } as const

function recordOf(frame: Frame, run: Run): RunRecord {
  const reason = run.end?.reason ?? run.error?.message
  const cost = knownCost(run)
  return {
    thread: frame.thread,
    run: run.id,
    agent: run.request.agent.name,
    outcome: outcomes[run.status],
    ...(reason !== undefined && { reason }),
    turns: Math.max(0, frame.turn - run.firstTurn + 1),
    calls: callsOf(frame),
    tokens: run.usage,
    ...(cost !== undefined && { cost }),
    duration: run.driven,
  }
}

function callsOf(frame: Frame): RunRecord['calls'] {
  const calls: { [tool: string]: { count: number; errors: number } } = {}
  for (const { name, output } of endedCalls(frame)) {
    const { count = 0, errors = 0 } = calls[name] ?? {}
    calls[name] = { count: count + 1, errors: errors + (output.type === 'error' || output.type === 'denied' ? 1 : 0) }
  }
  return calls
}
