/** Guards at inputs that come through a handle: they are asked before anything is stored. Loaded for agents that have guards. */
import { canonicalJson, type Draft, type Guarded, type Json } from '@loom-agent/kernel'
import type { Definition } from '../definition/definition.ts'
import { guardMessages, guardSteered, type MessageGuarding } from '../guard/guard-messages.ts'
import type { StartRequest } from './run-input.ts'

const guardingOf = ({ guards, ports }: Definition, thread: string): MessageGuarding => ({ guards, thread, clock: ports.clock })

/** A request as guards have left it: its messages, what they said, and why it is refused where one of them blocked it. */
export async function guardRequest(definition: Definition, request: StartRequest): Promise<StartRequest> {
  const { messages = [], thread } = request
  const left = await guardMessages(guardingOf(definition, thread), messages)
  if (left.notes.length === 0) return request
  const digest = definition.ports.hash(canonicalJson(messages as readonly Json[]))
  const guarded = left.notes.map((note): Guarded => ({ ...note, digest }))
  const blocked = left.notes.find(({ verdict }) => verdict === 'block')
  const refused = blocked && `The guard ${blocked.guard} blocked the input: ${blocked.reason}`
  return { ...request, messages: left.messages, guarded, ...(refused !== undefined && { refused }) }
}

/** A message for a run under way, as guards leave it. */
export async function guardSteerDraft(definition: Definition, thread: string, draft: Draft): Promise<Draft> {
  if (draft.type !== 'message.steered') return draft
  return { ...draft, data: { ...draft.data, message: await guardSteered(guardingOf(definition, thread), draft.data.message) } }
}
