/**
 * The prompt: the rendered context of a thread, a cache of the shell.
 *
 * PROMPT-1. Between two rebases it only grows: the messages of one request are a prefix of those of the next.
 * PROMPT-2. A turn touches only what it adds; no earlier message is looked at, cloned or converted again.
 * PROMPT-3. What was handed to a model is never changed afterwards.
 */
import { at, type Context, type Entry, type Frame, freshDigest, type Json, rollDigest, rollJson } from '@loom-agent/kernel'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import type { SpecVersion } from '../model/model.ts'
import { vendorOf } from '../model/vendor.ts'
import { createRenderer, type Renderer } from './render.ts'

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
  /** Whether the exchange with the latest calls started without reasoning of the model's own vendor. */
  isUnthought(): boolean
}

/** Goes before a message of the assistant that follows no message of the user: vendors require one. */
const unshown: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: '(What came before is not shown.)' }] }

/** An empty prompt. */
export function createPrompt(): Prompt {
  let shown: LanguageModelV4Message[] = []
  let renderer: Renderer | undefined
  let state = { covered: 0, spec: '', model: '', lastRole: '' }
  /** The context that was rendered last. */
  let context: Context | undefined
  let renderings = 0
  let digest = freshDigest
  let weighed = { messages: 0, sum: 0 }
  /** The last entry that was rendered. When the history has another one in its place, the prompt is rendered anew. */
  let last: Entry | undefined

  const add = (message: LanguageModelV4Message): void => {
    shown.push(message)
    digest = digestMessage(digest, message)
  }

  return {
    update(frame, spec, model = '') {
      const { history } = frame
      const before = context
      context = frame.context
      const isSame = last === undefined || at(history, state.covered - 1) === last
      if (!isSame || !before || !beginsAlike(before, context) || spec !== state.spec || model !== state.model) {
        renderings += 1
        const isOpen = context.lead !== undefined
        const lastRole = isOpen ? 'user' : ''
        shown = []
        digest = freshDigest
        weighed = { messages: 0, sum: 0 }
        renderer = createRenderer(spec, { vendor: vendorOf(model), tools: context.tools, isOpen })
        last = undefined
        state = { covered: context.keepFrom, spec, model, lastRole }
        if (context.system !== '') add({ role: 'system', content: context.system })
        if (context.lead !== undefined) add({ role: 'user', content: [{ type: 'text', text: context.lead }] })
      }
      let index = state.covered
      for (; index < context.covered; index += 1) {
        last = at(history, index) as Entry
        const message = renderer?.render(last)
        if (!message) continue
        if (message.role !== 'system') {
          if (message.role !== 'user' && (state.lastRole === '' || state.lastRole === message.role)) add(unshown)
          state.lastRole = message.role
        }
        add(message)
      }
      state.covered = index
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
    isUnthought: () => renderer?.isUnthought ?? false,
  }
}

/** Whether one context begins with the bytes of the other: nothing was rebased, or a rebase has changed nothing. */
function beginsAlike(one: Context, other: Context): boolean {
  if (one.rebases === other.rebases) return true
  const isCutAlike = one.system === other.system && one.lead === other.lead && one.keepFrom === other.keepFrom
  return isCutAlike && (one.tools === other.tools || JSON.stringify(one.tools) === JSON.stringify(other.tools))
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
