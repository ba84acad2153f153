/** Guards at the results of calls, before they become what the model reads. */
import type { Json } from '@loom-agent/kernel'
import { loadedGuarding, loadGuarding } from '../guard/load-guarding.ts'
import { toJson } from '../platform/normalize.ts'
import { guardableIn } from '../types/guarded-step.ts'
import type { CallJob } from './call-job.ts'
import type { CallWork } from './call-work.ts'
import type { Entered } from './execute.ts'

type Ended = Exclude<Entered, { kind: 'facts' }>

/** How a body ended, as the guards of the agent leave it. */
export async function guardEnded({ definition, outbox }: CallWork, { tool }: CallJob, ended: Ended): Promise<Ended> {
  if (ended.kind !== 'returned' && ended.kind !== 'threw') return ended
  const { guardReturned } = loadedGuarding() ?? (await loadGuarding())
  const place = { thread: outbox.frame.thread, at: 'result', tool: tool.name } as const
  const given: unknown = ended.kind === 'returned' ? ended.value : ended.error
  const left = await guardReturned({ guards: definition.guards, place, clock: definition.ports.clock }, given)
  return ended.kind === 'threw' && left === given ? ended : { kind: 'returned', value: left }
}

/** The record of a step, as the guards of the agent leave it. Most steps are no results: what the body needs to go on stays as it is. */
export async function guardRecord(
  { definition, outbox }: CallWork,
  { tool }: CallJob,
  { run, record }: { run: unknown; record: Json },
): Promise<Json> {
  const guardable = guardableIn(run, record)
  if (!guardable) return record
  const { guardValue } = loadedGuarding() ?? (await loadGuarding())
  const place = { thread: outbox.frame.thread, at: 'result', tool: tool.name } as const
  const { left, notes } = await guardValue({ guards: definition.guards, place, clock: definition.ports.clock }, guardable.texts)
  return notes.length === 0 ? record : guardable.put(left, toJson(notes) as readonly Json[])
}
