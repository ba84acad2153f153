/**
 * The prompt: the rendered context of a thread, a cache of the shell.
 *
 * PROMPT-1. Between two rebases it only grows: the messages of one request are a prefix of those of the next.
 * PROMPT-2. A turn touches only what it adds; no earlier message is looked at, cloned or converted again.
 * PROMPT-3. What was handed to a model is never changed afterwards.
 */
import { at, type Context, type Entry, type Frame, type Segment } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import type { SpecVersion } from '../model/model.ts'
import { vendorOf } from '../model/vendor.ts'
import { createMessageList, type MessageList, type OnShown } from './message-list.ts'
import { createRenderer, type Renderer } from './render.ts'
import { trimmed } from './trim.ts'

/**
 * Up to here a request gets an array of its own: models look at all messages, and an array is what they do that fastest with. Beyond, where copying
 * the pointers would cost more than the rest of the turn, it gets a view.
 */
const copiedAtMost = 8192

/** The rendered context of one thread. */
export interface Prompt {
  /** Brings the prompt up to the frame's context, for the model of the given id. */
  update(frame: Frame, spec: SpecVersion, model?: string): void
  /** The messages as a request gets them. */
  messages(): LanguageModelV4Message[]
  /** The messages themselves, for readers that do not keep them: the list grows. */
  current(): readonly LanguageModelV4Message[]
  /** Changes with every message that was added since the last rebase. */
  digest(): string
  /** The sum of what messages weigh. Each is weighed once (PROMPT-2), so the same scale must be given every time. */
  weight(scale: (message: LanguageModelV4Message) => number): number
  /** How often it was rendered from its start: between two renderings it only grew. */
  renderings(): number
  /** How many of the messages, from the first on, a rebase decides about; 0 when it shows the history as it is. */
  rebased(): number
  /** Whether the exchange with the latest calls started without reasoning of the model's own vendor. */
  isUnthought(): boolean
}

/** What was rendered last, and how far. */
interface Rendered {
  readonly renderer: Renderer
  readonly spec: SpecVersion
  readonly model: string
  context: Context
  /** How many entries of the history were looked at. */
  covered: number
  /** The last of them. When the history has another one in its place, the prompt is rendered anew. */
  last: Entry | undefined
}

/** An empty prompt. `onShown` is called with the place of each message that is added, and where it comes from: what explains a request reads it. */
export function createPrompt(onShown?: OnShown): Prompt {
  const list = createMessageList(onShown)
  let rendered: Rendered | undefined
  let renderings = 0
  let rebased = 0

  const renderAnew = (frame: Frame, spec: SpecVersion, model: string): Rendered => {
    const { context } = frame
    renderings += 1
    list.clear()
    const renderer = createRenderer(spec, { vendor: vendorOf(model), tools: context.tools })
    if (context.system !== '') list.put({ role: 'system', content: context.system }, { of: 'system' })
    const covered = showSegments(frame, renderer, list)
    rebased = context.segments.length > 0 ? list.shown().length : 0
    return { renderer, spec, model, context, covered, last: at(frame.history, covered - 1) }
  }

  return {
    update(frame, spec, model = '') {
      const { history, context } = frame
      const goesOn = rendered?.spec === spec && rendered.model === model && isContinued(rendered, frame)
      const now = goesOn && rendered ? rendered : renderAnew(frame, spec, model)
      for (; now.covered < context.covered; now.covered += 1) {
        now.last = at(history, now.covered) as Entry
        showEntry(now.last, now.covered, { renderer: now.renderer, list })
      }
      now.context = context
      rendered = now
    },
    messages: () => (list.shown().length <= copiedAtMost ? list.shown().slice() : view(list.shown(), list.shown().length)),
    current: list.shown,
    digest: list.digest,
    weight: list.weight,
    renderings: () => renderings,
    rebased: () => rebased,
    isUnthought: () => rendered?.renderer.isUnthought ?? false,
  }
}

/** Whether what was rendered is the beginning of what is to be shown now. */
function isContinued({ context, covered, last }: Rendered, frame: Frame): boolean {
  return (last === undefined || at(frame.history, covered - 1) === last) && beginsAlike(context, frame.context)
}

function showEntry(entry: Entry, index: number, { renderer, list }: { readonly renderer: Renderer; readonly list: MessageList }): void {
  const message = renderer.render(entry)
  if (message) list.add(message, list.isWatched ? { of: 'entry', index, entry } : undefined)
}

/** Shows what the segments of a rebase cover; returns how many entries that are. */
function showSegments({ history, summaries, context: { segments, covered } }: Frame, renderer: Renderer, list: MessageList): number {
  const told = new Set<number>()
  let from = 0
  for (const [place, segment] of segments.entries()) {
    const text = segment.as === 'summary' ? textOfSummary(segment, summaries, told) : ''
    if (text !== '') {
      list.add({ role: 'user', content: [{ type: 'text', text }] }, { of: 'summary', segment: place })
      renderer.open()
    }
    const to = Math.min(segment.to, covered)
    for (let index = from; segment.as === 'kept' && index < to; index += 1) {
      const entry = at(history, index) as Entry
      showEntry(segment.trims ? trimmed(entry, segment.trims) : entry, index, { renderer, list })
    }
    from = Math.max(from, to)
  }
  return from
}

/** Whether one context begins with the bytes of the other: nothing was rebased, or a rebase has changed nothing. */
function beginsAlike(one: Context, other: Context): boolean {
  if (one.rebases === other.rebases) return true
  if (one.system !== other.system || !isAlike(one.segments, other.segments)) return false
  return isAlike(one.tools, other.tools)
}

const isAlike = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** The text of a summary; empty when it was shown before, or is not there. */
function textOfSummary(segment: Segment & { readonly as: 'summary' }, summaries: Frame['summaries'], told: Set<number>): string {
  if ('text' in segment) return segment.text
  if (told.has(segment.summary)) return ''
  told.add(segment.summary)
  return at(summaries, segment.summary)?.summary ?? ''
}

/** The first `length` messages of a list that only ever grows, as an array of its own: it is copied when it is changed. */
function view(messages: LanguageModelV4Message[], length: number): LanguageModelV4Message[] {
  let copy: LanguageModelV4Message[] | undefined
  const own = (): LanguageModelV4Message[] => {
    copy ??= messages.slice(0, length)
    return copy
  }
  const isBeyond = (key: string | symbol): boolean => typeof key === 'string' && /^\d+$/.test(key) && Number(key) >= length
  const get = (key: string | symbol): unknown =>
    copy ? Reflect.get(copy, key) : key === 'length' ? length : isBeyond(key) ? undefined : Reflect.get(messages, key)
  return new Proxy<LanguageModelV4Message[]>([], {
    get: (_, key) => get(key),
    has: (_, key) => (copy ? Reflect.has(copy, key) : !isBeyond(key) && Reflect.has(messages, key)),
    ownKeys: () => Reflect.ownKeys(own()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(own(), key),
    set: (_, key, value) => Reflect.set(own(), key, value),
    deleteProperty: (_, key) => Reflect.deleteProperty(own(), key),
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(own(), key, descriptor),
    preventExtensions: () => false,
  })
}
