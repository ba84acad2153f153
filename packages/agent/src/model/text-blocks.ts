/**
 * Showing the blocks of a reply while it is streamed.
 *
 * STREAM-5. The pieces of text that are shown of a reply are those of the reply, in its order: where blocks of text interleave, one is shown after another.
 */
import type { Channel } from '../bus/bus.ts'
import type { SignalPlace } from '../types/signal.ts'

/** A block of text or reasoning. */
export interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
}

/** The blocks of text in the order of the reply, and how many of them are shown to their end: the next one is being shown. */
export interface TextBlocks {
  readonly waiting: Block[]
  shown: number
  /** Those that have ended and are not shown yet; undefined while there has been none. */
  ended: Set<Block> | undefined
}

/** The blocks of text that are shown when those before them have ended. */
export const textsBehind = ({ waiting, shown }: TextBlocks): readonly Block[] => waiting.slice(shown + 1)

interface Shown {
  readonly texts: TextBlocks
  readonly view: { readonly channel: Pick<Channel, 'isViewed' | 'signal'>; readonly place: SignalPlace & { readonly attempt: number } }
}

/** Shows that a block begins. */
export function showStart(shown: Shown, block: Block): void {
  const { texts } = shown
  if (block.type === 'text' && texts.waiting.push(block) > texts.shown + 1) return
  showEdge(shown, `${block.type}-start`)
}

/** Shows the next piece of a block. */
export function showDelta(shown: Shown, block: Block, text: string): void {
  const { texts, view } = shown
  if (!view.channel.isViewed() || (block.type === 'text' && texts.waiting[texts.shown] !== block)) return
  const { thread, run, turn, attempt } = view.place
  view.channel.signal({ type: `${block.type}-delta`, thread, run, turn, attempt, text })
}

/** Shows that a block has ended, and what there is of the text behind it. */
export function showEnd(shown: Shown, block: Block): void {
  const { texts } = shown
  if (block.type === 'reasoning') return showEdge(shown, 'reasoning-end')
  if (texts.waiting[texts.shown] !== block) {
    texts.ended ??= new Set()
    texts.ended.add(block)
    return
  }
  for (let next: Block | undefined = block; next === block || (next && texts.ended?.has(next)); ) {
    texts.shown += 1
    showEdge(shown, 'text-end')
    next = texts.waiting[texts.shown]
    if (!next) return
    showEdge(shown, 'text-start')
    if (next.text !== '') showDelta(shown, next, next.text)
  }
}

function showEdge({ view: { channel, place } }: Shown, type: `${Block['type']}-${'start' | 'end'}`): void {
  if (channel.isViewed()) channel.signal({ type, ...place })
}
