/** Compares what the model is about to be sent with what it was sent. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { freshDigest, type Json, type JsonObject } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { RunDivergence } from './divergence.ts'
import { type Difference, firstDifference } from './essence.ts'
import type { FixtureRequest } from './fixture.ts'
import { redactValue } from './redact.ts'
import type { Replay } from './replay.ts'
import { digestText, plainMessages, rollMessages } from './request-digest.ts'
import type { ThreadReplay } from './thread-replay.ts'

type Prompt = LanguageModelV4CallOptions['prompt']

/** What a hook made of a request, as it is journaled. */
interface RequestPatch {
  readonly settings?: JsonObject
  readonly keep?: number
  readonly insert?: readonly Json[]
}

/** The latest request of a thread: as it was recorded, and as it was compared. */
interface Sent {
  readonly turn: number
  readonly messages: readonly Json[]
  readonly prompt: Prompt
  readonly digest: number
}

const latest = new WeakMap<ThreadReplay, Sent>()

/** Throws where a request is not what it was. */
export function checkRequest(replay: Replay, threadReplay: ThreadReplay, options: LanguageModelV4CallOptions): void {
  const { turn, run } = threadReplay.frame
  const recorded = replay.requests.get(threadReplay.thread)?.get(turn)
  const before = latest.get(threadReplay)
  // A repeated attempt is the same request.
  if (!recorded || before?.turn === turn) return
  const messages = recorded.rebased ? recorded.messages : [...(before?.messages ?? []), ...recorded.messages]
  const patch = (run?.patch ?? {}) as RequestPatch
  const found =
    patch.keep === undefined
      ? messageDifference(replay, { threadReplay, recorded, messages }, options.prompt)
      : firstDifference([...messages.slice(0, patch.keep), ...(patch.insert ?? [])], redactValue(plainMessages(options.prompt), replay.redact))
  if (patch.keep !== undefined) latest.set(threadReplay, { turn, messages, prompt: [], digest: freshDigest })
  if (found) throw divergenceAt(threadReplay, 'messages', found)
  const settings = { ...recorded.settings, ...patch.settings }
  const now = Object.fromEntries(Object.keys(settings).map((key) => [key, (options as object as { readonly [key: string]: unknown })[key]]))
  const other = firstDifference(settings, redactValue(JSON.parse(JSON.stringify(now)) as JsonObject, replay.redact))
  if (other) throw divergenceAt(threadReplay, 'settings', other)
}

function divergenceAt({ of, frame }: ThreadReplay, what: string, { path, recorded, replayed }: Difference): RunDivergence {
  const at = path === '' ? what : `${what}.${path}`
  const step = [of, `turn ${frame.turn}`, `request.${at}`].filter(Boolean).join(', ')
  return new RunDivergence({ step, recorded, replayed, advice: adviceFor('request', at) })
}

interface Recorded {
  readonly threadReplay: ThreadReplay
  readonly recorded: FixtureRequest
  readonly messages: readonly Json[]
}

/** Equal digests are equal messages, and only new messages are digested; all are compared only to find where they differ. */
function messageDifference(replay: Replay, { threadReplay, recorded, messages }: Recorded, prompt: Prompt): Difference | undefined {
  const before = latest.get(threadReplay)
  const known = before && !recorded.rebased && before.prompt.every((message, index) => message === prompt[index]) ? before : undefined
  const added = plainMessages(prompt.slice(known?.prompt.length ?? 0))
  const digest = rollMessages(added, known?.digest)
  latest.set(threadReplay, { turn: recorded.turn, messages, prompt, digest })
  if (digestText(digest) === recorded.digest) return undefined
  return firstDifference(messages, redactValue(plainMessages(prompt), replay.redact))
}
