/** Compares what the model is about to be sent with what it was sent. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Json, JsonObject } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { RunDivergence } from './divergence.ts'
import { type Difference, firstDifference, plain } from './essence.ts'
import { redactValue } from './redact.ts'
import type { Replay } from './replay.ts'
import type { ThreadReplay } from './thread-replay.ts'

type Prompt = LanguageModelV4CallOptions['prompt']

/** What a hook made of a request, as it is journaled. */
interface RequestPatch {
  readonly settings?: JsonObject
  readonly keep?: number
  readonly insert?: readonly Json[]
}

/** The latest request of a thread: its messages as they were recorded, and as they were compared. */
interface Sent {
  readonly turn: number
  readonly messages: readonly Json[]
  readonly prompt: Prompt
}

const latest = new WeakMap<ThreadReplay, Sent>()

/** Throws where a request is not what it was. */
export function checkRequest(replay: Replay, threadReplay: ThreadReplay, options: LanguageModelV4CallOptions): void {
  const { turn, run } = threadReplay.frame
  const recorded = replay.requests.get(threadReplay.thread)?.get(turn)
  const before = latest.get(threadReplay)
  // A repeated attempt is the same request.
  if (!recorded || before?.turn === turn) return
  const { prompt } = options
  const messages = recorded.rebased ? recorded.messages : [...(before?.messages ?? []), ...recorded.messages]
  const patch = (run?.patch ?? {}) as RequestPatch
  const isPatched = patch.keep !== undefined
  const expected = isPatched ? [...messages.slice(0, patch.keep), ...(patch.insert ?? [])] : messages
  // A request extends the one before: messages that are the very same have been compared.
  const known = recorded.rebased || isPatched || !before?.prompt.every((message, index) => message === prompt[index]) ? 0 : before.prompt.length
  latest.set(threadReplay, { turn, messages, prompt: isPatched ? [] : prompt })
  const differenceFrom = (start: number): Difference | undefined =>
    firstDifference(expected.slice(start), redactValue(plain(prompt.slice(start)), replay.redact))
  const found = differenceFrom(known) && differenceFrom(0)
  if (found) throw divergenceAt(threadReplay, 'messages', found)
  const settings = { ...recorded.settings, ...patch.settings }
  const now = Object.fromEntries(Object.keys(settings).map((key) => [key, (options as object as { readonly [key: string]: unknown })[key]]))
  const other = firstDifference(settings, redactValue(plain(now), replay.redact))
  if (other) throw divergenceAt(threadReplay, 'settings', other)
}

function divergenceAt({ of, frame }: ThreadReplay, what: string, { path, recorded, replayed }: Difference): RunDivergence {
  const at = path === '' ? what : `${what}.${path}`
  const step = [of, `turn ${frame.turn}`, `request.${at}`].filter(Boolean).join(', ')
  return new RunDivergence({ step, recorded, replayed, advice: adviceFor('request', at) })
}
