/** A request to Anthropic as turns: messages of one role in a row count as one. */
import { type Loose, loose, looseList } from './loose.ts'
import { each, type Placed } from './places.ts'
import type { Check, Refusal, WireRequest } from './wire.ts'

/** The messages of one role in a row. */
export interface Turn {
  readonly role: unknown
  /** The number of its first message. */
  readonly index: number
  readonly blocks: readonly Placed[]
}

/** The blocks of a message; a text is one block. */
export const blocksOf = ({ content }: Loose): readonly Loose[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : looseList(content)

/** The turns of a request. */
export function turnsOf({ body }: WireRequest): readonly Turn[] {
  const turns: (Turn & { readonly blocks: Placed[] })[] = []
  for (const [index, message] of looseList(loose(body)['messages']).entries()) {
    const blocks = blocksOf(message).map((value, nth) => ({ value, at: `messages.${index}.content.${nth}` }))
    const last = turns.at(-1)
    if (last && last.role === message['role']) last.blocks.push(...blocks)
    else turns.push({ role: message['role'], index, blocks })
  }
  return turns
}

/** The blocks of a type. */
export const ofType = (turn: Turn | undefined, type: string): readonly Placed[] => turn?.blocks.filter(({ value }) => value['type'] === type) ?? []

/** Checks every block of a type. */
export const eachBlock = (type: string, check: (block: Loose, at: string) => Refusal): Check =>
  each('messages.*.content.*', (block, at) => block['type'] === type && check(block, at))
