/** Compares what the model is about to be sent with what it was sent. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Json, JsonObject } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { type Difference, firstDifference, plain } from './compared-data.ts'
import { RunDivergence } from './divergence.ts'
import type { EpochReplay } from './epoch-replay.ts'
import type { RecordedRequest } from './recorded-requests.ts'
import { replaceTexts } from './redact.ts'

type Prompt = LanguageModelV4CallOptions['prompt']

/** What a hook made of a request, as it is journaled. */
interface RequestPatch {
  readonly settings?: JsonObject
  readonly keep?: number
  readonly insert?: readonly Json[]
}

/** The latest request of a driver that was compared: how many messages it had, and the last of them. */
interface Sent {
  readonly turn: number
  readonly length: number
  readonly last: Prompt[number] | undefined
}

const latest = new WeakMap<EpochReplay, Sent>()

/** Throws where a request is not what it was. */
export function checkRequest(epoch: EpochReplay, recorded: RecordedRequest | undefined, options: LanguageModelV4CallOptions): void {
  const { turn, run } = epoch.frame
  const before = latest.get(epoch)
  // A repeated attempt is the same request.
  if (!recorded || before?.turn === turn) return
  const { prompt } = options
  const patch = (run?.patch ?? {}) as RequestPatch
  const isPatched = patch.keep !== undefined
  const expected = isPatched ? [...recorded.messages.slice(0, patch.keep), ...(patch.insert ?? [])] : recorded.messages
  // A request extends the one before: when the message at its end is the very same, those before it have been compared (PROMPT-1).
  const isExtended = !isPatched && before !== undefined && before.length > 0 && prompt[before.length - 1] === before.last
  const known = isExtended ? before.length : 0
  latest.set(epoch, isPatched ? { turn, length: 0, last: undefined } : { turn, length: prompt.length, last: prompt[prompt.length - 1] })
  const differenceFrom = (start: number): Difference | undefined =>
    firstDifference(expected.slice(start), replaceTexts(plain(prompt.slice(start)), epoch.redact))
  const found = differenceFrom(known) && differenceFrom(0)
  if (found) throw divergenceAt(epoch, 'messages', found)
  const settings = { ...recorded.settings, ...patch.settings }
  const now = Object.fromEntries(Object.keys(settings).map((key) => [key, (options as object as { readonly [key: string]: unknown })[key]]))
  const other = firstDifference(settings, replaceTexts(plain(now), epoch.redact))
  if (other) throw divergenceAt(epoch, 'settings', other)
}

function divergenceAt({ of, frame }: EpochReplay, what: string, { path, recorded, replayed }: Difference): RunDivergence {
  const at = path === '' ? what : `${what}.${path}`
  const step = [of, `turn ${frame.turn}`, `request.${at}`].filter(Boolean).join(', ')
  return new RunDivergence({ step, recorded, replayed, advice: adviceFor('request', at) })
}
