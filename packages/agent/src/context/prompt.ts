/**
 * The prompt: the rendered context of a thread, a cache of the shell.
 *
 * PROMPT-1. Between two rebases it only grows: the messages of one request are a prefix of those of the next.
 * PROMPT-2. A turn touches only what it adds; no earlier message is looked at, cloned or converted again.
 * PROMPT-3. What was handed to a model is never changed afterwards.
 */
import { at, type Context, type Entry, type Frame, freshDigest, type Json, rollDigest, rollJson, type Segment } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import type { SpecVersion } from '../model/model.ts'
import { vendorOf } from '../model/vendor.ts'
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

/** Where a message of a prompt comes from. An entry is given as it is shown: with its results cut where a trim cuts them. */
export type Source =
  | { readonly of: 'system' | 'gap' }
  | { readonly of: 'summary'; readonly segment: number }
  | { readonly of: 'entry'; readonly index: number; readonly entry: Entry }

/** Goes before a message of the assistant that follows no message of the user: vendors require one. */
const unshown: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: '(What came before is not shown.)' }] }

/** An empty prompt. `onShown` is called with the place of each message that is added, and where it comes from: what explains a request reads it. */
export function createPrompt(onShown?: (message: number, source: Source) => void): Prompt {
  let shown: LanguageModelV4Message[] = []
  let renderer: Renderer | undefined
  let state = { covered: 0, spec: '', model: '', lastRole: '' }
  /** The context that was rendered last. */
  let context: Context | undefined
  let renderings = 0
  let rebased = 0
  let digest = freshDigest
  let weighed = { messages: 0, sum: 0 }
  /** The last entry that was rendered. When the history has another one in its place, the prompt is rendered anew. */
  let last: Entry | undefined

  const add = (message: LanguageModelV4Message, source: Source | undefined): void => {
    shown.push(message)
    digest = digestMessage(digest, message)
    if (source) onShown?.(shown.length - 1, source)
  }

  /** Shows a message; vendors want no two of the assistant after each other, and none of it first. */
  const say = (message: LanguageModelV4Message, source: Source | undefined): void => {
    if (message.role !== 'system') {
      if (message.role !== 'user' && (state.lastRole === '' || state.lastRole === message.role)) add(unshown, { of: 'gap' })
      state.lastRole = message.role
    }
    add(message, source)
  }

  const show = (entry: Entry, index: number): void => {
    const message = renderer?.render(entry)
    if (message) say(message, onShown && { of: 'entry', index, entry })
  }

  /** Shows what the segments of a rebase cover. */
  const showSegments = ({ history, summaries, context: { segments, covered } }: Frame): void => {
    const told = new Set<number>()
    let from = 0
    for (const [place, segment] of segments.entries()) {
      const text = segment.as === 'summary' ? textOfSummary(segment, summaries, told) : ''
      if (text !== '') {
        say({ role: 'user', content: [{ type: 'text', text }] }, { of: 'summary', segment: place })
        renderer?.open()
      }
      const to = Math.min(segment.to, covered)
      for (let index = from; segment.as === 'kept' && index < to; index += 1) {
        const entry = at(history, index) as Entry
        show(segment.trims ? trimmed(entry, segment.trims) : entry, index)
      }
      from = Math.max(from, to)
    }
    state.covered = from
    last = at(history, from - 1)
  }

  return {
    update(frame, spec, model = '') {
      const { history } = frame
      const before = context
      context = frame.context
      const isSame = last === undefined || at(history, state.covered - 1) === last
      if (!isSame || !before || !beginsAlike(before, context) || spec !== state.spec || model !== state.model) {
        renderings += 1
        shown = []
        digest = freshDigest
        weighed = { messages: 0, sum: 0 }
        renderer = createRenderer(spec, { vendor: vendorOf(model), tools: context.tools })
        state = { covered: 0, spec, model, lastRole: '' }
        if (context.system !== '') add({ role: 'system', content: context.system }, { of: 'system' })
        showSegments(frame)
        rebased = context.segments.length > 0 ? shown.length : 0
      }
      for (; state.covered < context.covered; state.covered += 1) {
        last = at(history, state.covered) as Entry
        show(last, state.covered)
      }
    },
    messages: () => (shown.length <= copiedAtMost ? shown.slice() : view(shown, shown.length)),
    current: () => shown,
    digest: () => digest.toString(36),
    weight(scale) {
      let { messages, sum } = weighed
      for (; messages < shown.length; messages += 1) sum += scale(shown[messages] as LanguageModelV4Message)
      weighed = { messages, sum }
      return sum
    },
    renderings: () => renderings,
    rebased: () => rebased,
    isUnthought: () => renderer?.isUnthought ?? false,
  }
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

/** Takes a message into the digest. Addresses of files are objects, not JSON: they count by their text. */
function digestMessage(digest: number, { role, content }: LanguageModelV4Message): number {
  return rollJson(rollDigest(digest, role), content as Json)
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
