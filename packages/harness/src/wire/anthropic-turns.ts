/** A request to Anthropic as turns: messages of one role in a row count as one. */
import { type Loose, loose, looseList } from './loose.ts'
import { type Complaint, firstComplaint, type WireRequest } from './wire.ts'

/** A block of content and where it is. */
export interface Block {
  readonly block: Loose
  /** As the vendor writes it: `messages.1.content.0`. */
  readonly at: string
}

/** The messages of one role in a row. */
export interface Turn {
  readonly role: unknown
  /** The number of its first message. */
  readonly index: number
  readonly blocks: readonly Block[]
}

/** The body of a request. */
export const bodyOf = (request: WireRequest): Loose => loose(request.body)

/** The messages of a request. */
export const messagesOf = (request: WireRequest): readonly Loose[] => looseList(bodyOf(request)['messages'])

/** The blocks of a message; a text is one block. */
export const blocksOf = ({ content }: Loose): readonly Loose[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : looseList(content)

/** The turns of a request. */
export function turnsOf(request: WireRequest): readonly Turn[] {
  const turns: { role: unknown; index: number; blocks: Block[] }[] = []
  for (const [index, message] of messagesOf(request).entries()) {
    const blocks = blocksOf(message).map((block, nth) => ({ block, at: `messages.${index}.content.${nth}` }))
    const last = turns.at(-1)
    if (last && last.role === message['role']) last.blocks.push(...blocks)
    else turns.push({ role: message['role'], index, blocks })
  }
  return turns
}

/** The blocks of a type. */
export const ofType = (turn: Turn | undefined, type: string): readonly Block[] => turn?.blocks.filter(({ block }) => block['type'] === type) ?? []

/** The first complaint about the blocks of a type. */
export const eachBlock = (request: WireRequest, type: string, check: (block: Loose, at: string) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(turnsOf(request), (turn) => firstComplaint(ofType(turn, type), ({ block, at }) => check(block, at)))

/** The tools that the client runs, with their places. */
export const toolsOf = (request: WireRequest): readonly { readonly tool: Loose; readonly at: string }[] =>
  looseList(bodyOf(request)['tools']).flatMap((tool, index) => {
    const { type } = tool
    return type === undefined || type === 'custom' ? [{ tool, at: `tools.${index}.custom` }] : []
  })
