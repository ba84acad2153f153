/** A stream that is being read, and what was read of it. */
import type { Json, JsonObject, Part, Usage } from '@loom-agent/kernel'
import type { Channel } from '../bus/bus.ts'
import type { CompleteBounds } from '../types/reply-bounds.ts'
import type { ModelWarning } from '../types/result.ts'
import type { SignalPlace } from '../types/signal.ts'
import type { RecordedDeltas } from './recorded-deltas.ts'
import { createReplyMeter, type ReplyMeter } from './reply-meter.ts'
import type { Block, TextBlocks } from './text-blocks.ts'

/** Where the pieces of a reply are shown while the stream is read: signals are made only while the thread is viewed. */
export interface PieceView {
  readonly channel: Pick<Channel, 'isViewed' | 'signal'>
  readonly place: SignalPlace & { readonly attempt: number }
  /** Where the deltas are kept that the agent records; undefined: they are not. */
  readonly recorded: RecordedDeltas | undefined
}

/** A block, with the provider's metadata. */
export interface ReadBlock extends Block {
  meta?: { [key: string]: Json | undefined }
}

/** A stream that is being read. */
export interface Reading {
  parts: (Part | ReadBlock)[]
  /** Blocks that are open; undefined while there has been none. */
  blocks: Map<string, ReadBlock> | undefined
  readonly texts: TextBlocks
  readonly view: PieceView
  readonly meter: ReplyMeter
  finish: { readonly usage: Usage; readonly reason: string; readonly meta?: JsonObject } | undefined
  model: string | undefined
  warnings: readonly ModelWarning[] | undefined
  closed: boolean
  /** Cancels the stream. */
  cancel: (() => void) | undefined
}

/** A stream of which nothing has been read. */
export function createReading(view: PieceView, most: CompleteBounds): Reading {
  return {
    parts: [],
    blocks: undefined,
    texts: { waiting: [], shown: 0, ended: undefined },
    view,
    meter: createReplyMeter(most),
    finish: undefined,
    model: undefined,
    warnings: undefined,
    closed: false,
    cancel: undefined,
  }
}
