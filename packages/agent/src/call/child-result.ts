/** What a durable body gets of a child. */
import { type Json, LoomError } from '@loom-agent/kernel'
import type { AnyAgent } from '../types/any-agent.ts'
import type { ChildRecord, ChildResult } from '../types/result.ts'

/** The result that a child's record stands for. */
export function childResult<Output>(agent: AnyAgent<Output>, record: Json | undefined): ChildResult<Output> {
  if (record === undefined)
    throw new LoomError('LOOM_THREAD_NOT_FOUND', `The child ${agent.name} left no record.`, { context: { agent: agent.name } })
  const value = record as ChildRecord & Json
  const { text, turns, inDoubt } = value
  if (value.status === 'done') return { text, turns, status: 'done', output: (value.output ?? text) as Output }
  const ended = { text, turns, ...(inDoubt && { inDoubt }) }
  if (value.status === 'stopped') return { ...ended, status: 'stopped', kind: value.kind ?? 'cancelled', reason: value.reason ?? '' }
  return { ...ended, status: 'failed', error: { code: 'LOOM_RUN_FAILED', message: value.reason ?? '', recoverable: true } }
}
