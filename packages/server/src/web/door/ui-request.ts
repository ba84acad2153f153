/** What a client of the AI SDK sends: the last message is what is new, all others are in the journal. */
import type { InputPart } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { digestOf } from '../access/secret.ts'

type Loose = { readonly [field: string]: unknown }

/** What a client asks for. */
export type UiRequest = { readonly chat: string } & (
  | {
      readonly kind: 'say'
      /** Names the start: sent again, it starts nothing new. */
      readonly id: string
      readonly input: readonly InputPart[]
    }
  | {
      readonly kind: 'answer'
      /** The message that goes on. */
      readonly message: string
      readonly answers: readonly { readonly question: string; readonly isApproved: boolean; readonly reason?: string | undefined }[]
      /** The last event that the client was shown; undefined when it does not know. */
      readonly seen: number | undefined
    }
)

function invalid(problem: string): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', `This is no request of a chat: ${problem}. Send what useChat of the AI SDK sends.`, {
    context: { problem },
  })
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown, what: string): string => {
  if (typeof value === 'string' && value !== '') return value
  throw invalid(`${what} is missing`)
}

/** Texts and files; parts that only clients know are left to them. */
function partOf(part: unknown): readonly InputPart[] {
  if (!isObject(part)) return []
  if (part['type'] === 'text' && typeof part['text'] === 'string') return [{ type: 'text', text: part['text'] }]
  if (part['type'] !== 'file' || typeof part['url'] !== 'string' || typeof part['mediaType'] !== 'string') return []
  const name = typeof part['filename'] === 'string' ? { name: part['filename'] } : {}
  return [{ type: 'file', data: part['url'], mediaType: part['mediaType'], ...name }]
}

function answersIn(parts: readonly unknown[]) {
  return parts.flatMap((part) => {
    if (!isObject(part) || part['state'] !== 'approval-responded' || !isObject(part['approval'])) return []
    const { id, approved, reason } = part['approval']
    return typeof id === 'string' && typeof approved === 'boolean'
      ? [{ question: id, isApproved: approved, ...(typeof reason === 'string' && reason !== '' && { reason }) }]
      : []
  })
}

/** What the stream before has said about where it ended. */
function seenIn(message: Loose): number | undefined {
  const metadata = isObject(message['metadata']) ? message['metadata']['loom'] : undefined
  const seq = isObject(metadata) ? metadata['seq'] : undefined
  return typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : undefined
}

/** A start that is sent again by the network has the same name; one that the user makes again, edited or not, has another. */
async function nameOf(body: Loose, message: string, input: readonly InputPart[]): Promise<string> {
  if (body['trigger'] === 'regenerate-message') return crypto.randomUUID()
  return body['messageId'] === undefined ? message.slice(0, 200) : `${message.slice(0, 100)}:${await digestOf(JSON.stringify(input))}`
}

/** Reads the body of a request. */
export async function readUiRequest(body: unknown): Promise<UiRequest> {
  if (!isObject(body)) throw invalid('the body is no object')
  const chat = textOf(body['id'], 'the id of the chat')
  const message: unknown = Array.isArray(body['messages']) ? body['messages'].at(-1) : undefined
  if (!isObject(message) || !Array.isArray(message['parts'])) throw invalid('the last message has no parts')
  const id = textOf(message['id'], 'the id of the last message')
  if (message['role'] === 'assistant') {
    const answers = answersIn(message['parts'])
    if (answers.length === 0) throw invalid('the last message is of the assistant, and has no answers to approvals')
    return { kind: 'answer', chat, message: id, answers, seen: seenIn(message) }
  }
  if (message['role'] !== 'user') throw invalid('the last message is neither of the user nor of the assistant')
  const input = message['parts'].flatMap(partOf)
  if (input.length === 0) throw invalid('the last message has no text and no file')
  return { kind: 'say', chat, id: await nameOf(body, id, input), input }
}
