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

/** The blocks of text that are not shown to their end, in the order of the reply: the first is being shown. */
export type TextBlocks = { readonly block: Block; isEnded: boolean }[]

interface Shown {
  readonly texts: TextBlocks
  readonly view: { readonly channel: Pick<Channel, 'isViewed' | 'signal'>; readonly place: SignalPlace & { readonly attempt: number } }
}

/** Shows that a block begins. */
export function showStart(shown: Shown, block: Block): void {
  if (block.type === 'text' && shown.texts.push({ block, isEnded: false }) > 1) return
  showEdge(shown, `${block.type}-start`)
}

/** Shows the next piece of a block. */
export function showDelta(shown: Shown, block: Block, text: string): void {
  const { texts, view } = shown
  if (!view.channel.isViewed() || (block.type === 'text' && texts[0]?.block !== block)) return
  const { thread, run, turn, attempt } = view.place
  view.channel.signal({ type: `${block.type}-delta`, thread, run, turn, attempt, text })
}

/** Shows that a block has ended, and what there is of the text behind it. */
export function showEnd(shown: Shown, block: Block): void {
  const { texts } = shown
  if (block.type === 'reasoning') return showEdge(shown, 'reasoning-end')
  for (const open of texts) if (open.block === block) open.isEnded = true
  while (texts[0]?.isEnded) {
    texts.shift()
    showEdge(shown, 'text-end')
    const next = texts[0]?.block
    if (!next) return
    showEdge(shown, 'text-start')
    if (next.text !== '') showDelta(shown, next, next.text)
  }
}

function showEdge({ view: { channel, place } }: Shown, type: `${Block['type']}-${'start' | 'end'}`): void {
  if (channel.isViewed()) channel.signal({ type, ...place })
}
