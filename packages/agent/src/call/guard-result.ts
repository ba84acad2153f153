/**
 * Guards at what calls came to, before it becomes what the model reads, and at what their steps and children came to, before it is stored.
 *
 * GUARD-8. What a body reads back of a step or a child is what is stored, as the guards left it: live as after a crash.
 */
import { loadedGuarding, loadGuarding } from '../guard/load-guarding.ts'
import type { DurableContext } from '../tool/define.ts'
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

/** Says of a value what the guards leave of it; throws where they withhold it. */
export type Look = <V>(value: V) => Promise<V>
/** What guards look at of what a step returned; undefined: all of it. */
export type Guarded = NonNullable<Parameters<DurableContext['step']>[2]>['guarded']

/** Where a step or a child belongs. */
interface Place {
  readonly thread: string
  readonly tool: string | undefined
  readonly step?: string
}

/** Asks the guards of an agent about what comes back to a body. */
export function looking({ definition }: Pick<CallWork, 'definition'>, { thread, tool, step }: Place): Look {
  const place = { thread, at: 'result', ...(tool !== undefined && { tool }), ...(step !== undefined && { step }) } as const
  return async <V>(value: V): Promise<V> => {
    const { guardValue } = loadedGuarding() ?? (await loadGuarding())
    const { left, notes } = await guardValue({ guards: definition.guards, place, clock: definition.ports.clock }, value)
    if (notes.some(({ verdict }) => verdict === 'block')) throw left
    // A guard changes texts; it leaves the form.
    return left as V
  }
}

/** What the guards leave of what a step returned. Throws where they withhold it. */
export async function guardStep(look: Look, value: unknown, guarded: Guarded): Promise<unknown> {
  if (guarded === false) return value
  return guarded === undefined ? look(value) : guarded(value, look)
}
