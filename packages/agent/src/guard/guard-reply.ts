/**
 * Guards at what the model writes, while it is written.
 *
 * GUARD-5. What is shown and stored of a reply is what the guards have left. A text is held back until its guards have looked at it: one that looks at pieces
 *     holds back what it must, any other the whole text. What is blocked is retracted: nothing of the reply is stored.
 */
import type { Clock } from '@loom-agent/kernel'
import type { StreamPart } from '../model/model.ts'
import type { Streamed } from '../model/read-stream.ts'
import { BlockedReply } from '../model/stream-errors.ts'
import { callUserNow, notify } from '../platform/call-user.ts'
import { messageOf } from '../platform/normalize.ts'
import type { ModelWarning } from '../types/result.ts'
import { askGuards } from './ask-guards.ts'
import type { Guard, GuardedPlace, GuardStream } from './guard.ts'

/** Where a reply is written, and who is told that the stream goes on. */
export interface ReplyGuarding {
  readonly guards: readonly Guard[]
  readonly place: GuardedPlace
  readonly clock: Clock
  readonly heard: () => void
  /** What guards said, as warnings of the reply. */
  readonly warnings: ModelWarning[]
}

/** A stream of which the guards have looked at every text. */
export async function guardReply(guarding: ReplyGuarding, streaming: Streamed | Promise<Streamed>): Promise<Streamed> {
  const streamed: Partial<Streamed> | undefined = await streaming
  const source = sourceOf(streamed?.stream ?? {})
  // What is no stream is refused where it is read.
  if (!source) return streamed as Streamed
  const texts = new Map<string, GuardedBlock>()
  const ready: StreamPart[] = []
  const take = async (part: StreamPart): Promise<void> => {
    guarding.heard()
    if (isOfText(part)) return takeText(guarding, { texts, ready }, part)
    // Texts that the stream has not ended end with it.
    if (part?.type === 'finish') for (const block of texts.values()) await endText({ texts, ready }, block)
    ready.push(part)
  }
  const iterator: AsyncIterator<StreamPart> = {
    async next() {
      while (ready.length === 0) {
        const next = await source.next()
        if (next.done) return { done: true, value: undefined }
        await take(next.value)
      }
      return { done: false, value: ready.shift() as StreamPart }
    },
    async return() {
      source.cancel()
      return { done: true, value: undefined }
    },
  }
  return { stream: { [Symbol.asyncIterator]: () => iterator } }
}

interface Source {
  readonly next: () => Promise<IteratorResult<StreamPart>>
  readonly cancel: () => void
}

function sourceOf(stream: object): Source | undefined {
  if ('getReader' in stream) {
    const reader = (stream as ReadableStream<StreamPart>).getReader()
    return { next: () => reader.read() as Promise<IteratorResult<StreamPart>>, cancel: () => notify(() => reader.cancel(), undefined) }
  }
  if (!(Symbol.asyncIterator in stream)) return undefined
  const iterator = (stream as AsyncIterable<StreamPart>)[Symbol.asyncIterator]()
  return { next: () => iterator.next(), cancel: () => notify(() => iterator.return?.(), undefined) }
}

type Kind = 'text' | 'reasoning'
type TextPart = Extract<StreamPart, { type: `${Kind}-${'start' | 'delta' | 'end'}` }>

const isOfText = (part: StreamPart | undefined): part is TextPart => /^(?:text|reasoning)-(?:start|delta|end)$/.test(part?.type ?? '')

/** A text on its way through the guards. */
interface GuardedBlock {
  readonly kind: Kind
  readonly id: string
  readonly stages: readonly Stage[]
  /** What the provider attached: it comes with the end, when it is known whether it still fits. */
  meta: TextPart['providerMetadata']
  given: string
  shown: string
}

interface Stream {
  readonly texts: Map<string, GuardedBlock>
  readonly ready: StreamPart[]
}

async function takeText(guarding: ReplyGuarding, stream: Stream, part: TextPart): Promise<void> {
  const { texts, ready } = stream
  const kind: Kind = part.type.startsWith('text') ? 'text' : 'reasoning'
  const key = `${kind} ${String(part.id)}`
  const block: GuardedBlock = texts.get(key) ?? { kind, id: part.id, stages: stagesOf(guarding), meta: undefined, given: '', shown: '' }
  if (!texts.has(key)) {
    texts.set(key, block)
    ready.push({ type: `${kind}-start`, id: part.id })
  }
  if (part.providerMetadata !== undefined) block.meta = { ...block.meta, ...part.providerMetadata }
  if (part.type === 'text-end' || part.type === 'reasoning-end') return endText(stream, block)
  if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') return
  let text = part.delta
  block.given += text
  for (const stage of block.stages) if (text !== '') text = await stage.push(text)
  show(stream, block, text)
}

async function endText(stream: Stream, block: GuardedBlock): Promise<void> {
  const { kind, id, meta } = block
  let rest = ''
  for (const stage of block.stages) rest = (rest === '' ? '' : await stage.push(rest)) + (await stage.end())
  show(stream, block, rest)
  stream.texts.delete(`${kind} ${String(id)}`)
  // A provider refuses reasoning that is not what it signed.
  const isSigned = meta !== undefined && (kind === 'text' || block.given === block.shown)
  stream.ready.push({ type: `${kind}-end`, id, ...(isSigned && { providerMetadata: meta }) })
}

function show({ ready }: Stream, block: GuardedBlock, delta: string): void {
  if (delta === '') return
  block.shown += delta
  ready.push({ type: `${block.kind}-delta`, id: block.id, delta })
}

/** One guard at one text. */
interface Stage {
  push(piece: string): string | Promise<string>
  end(): string | Promise<string>
}

const stagesOf = (guarding: ReplyGuarding): readonly Stage[] =>
  guarding.guards.flatMap((guard) => (guard.stream ? pieceStage(guarding, guard, guard.stream) : guard.output ? wholeStage(guarding, guard) : []))

/** A guard that looks at a text when it is whole: until then nothing of it is shown. */
function wholeStage({ place, clock, warnings }: ReplyGuarding, guard: Guard): Stage {
  let held = ''
  return {
    push(piece) {
      held += piece
      return ''
    },
    async end() {
      const { text, notes, blocked } = await askGuards([guard], held, { place, clock })
      if (blocked) throw new BlockedReply(guard.name, blocked.reason ?? '')
      for (const { verdict, reason = '' } of notes) warnings.push({ type: `guard-${verdict}`, feature: guard.name, message: reason })
      return text
    },
  }
}

/** A guard that looks at pieces. What it has held back is lost when it fails, so a failure blocks. */
function pieceStage({ place, warnings }: ReplyGuarding, guard: Guard, open: NonNullable<Guard['stream']>): Stage {
  let [given, shown] = ['', '']
  let stream: GuardStream | undefined
  const passed = (ask: (stream: GuardStream) => unknown): string => {
    let left: unknown
    try {
      stream ??= callUserNow(() => open(place))
      const opened = stream
      left = callUserNow(() => ask(opened))
      if (typeof left !== 'string' && typeof (left as { block?: unknown } | undefined)?.block !== 'string')
        throw new Error('it returned neither a text nor { block }')
    } catch (error) {
      left = { block: `it failed: ${messageOf(error)}` }
    }
    if (typeof left !== 'string') throw new BlockedReply(guard.name, (left as { readonly block: string }).block)
    shown += left
    return left
  }
  return {
    push(piece) {
      given += piece
      return passed((opened) => opened.push(piece))
    },
    end() {
      const rest = passed((opened) => opened.end())
      if (shown !== given) warnings.push({ type: 'guard-rewrite', feature: guard.name, message: '' })
      return rest
    },
  }
}
