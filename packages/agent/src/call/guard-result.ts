/** Guards at the results of calls, before they become what the model reads. */
import { loadedGuarding, loadGuarding } from '../guard/load-guarding.ts'
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
