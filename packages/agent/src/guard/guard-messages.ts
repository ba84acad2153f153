/** Guards at messages: every text of users and of other programs is asked about. */
import type { Clock, Message } from '@loom-agent/kernel'
import { type Guard, type GuardNote, withheldText } from './guard.ts'
import { partsLeft } from './guard-value.ts'

/** Who is asked, and about which thread. */
export interface MessageGuarding {
  readonly guards: readonly Guard[]
  readonly thread: string
  readonly clock: Clock
}

/** Messages as guards have left them, and what they said. */
export interface LeftMessages {
  readonly messages: readonly Message[]
  readonly notes: readonly GuardNote[]
}

/** What guards leave of messages. Results of calls that a caller brings along stay as they are. */
export async function guardMessages({ guards, thread, clock }: MessageGuarding, messages: readonly Message[]): Promise<LeftMessages> {
  const notes: GuardNote[] = []
  const left: Message[] = []
  for (const message of messages) {
    if (message.role === 'tool') left.push(message)
    else left.push({ ...message, parts: await partsLeft({ guards, place: { thread, at: 'input' }, clock, notes }, message.parts) })
  }
  return { messages: left, notes }
}

/** A message for a run under way, as guards leave it. Nobody can be asked about it: what a guard asks about is withheld. */
export async function guardSteered(guarding: MessageGuarding, message: Message): Promise<Message> {
  const { messages, notes } = await guardMessages(guarding, [message])
  const asked = notes.find(({ verdict }) => verdict === 'ask')
  if (!asked) return messages[0] ?? message
  return { role: 'user', parts: [{ type: 'text', text: withheldText(asked.guard, asked.reason ?? '') }] }
}
