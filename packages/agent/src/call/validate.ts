/** Stage 2: check the arguments. */
import type { EffectClass, Json, JsonObject } from '@loom-agent/kernel'
import { callUserNow } from '../platform/call-user.ts'
import { deepestJson, jsonDepth, longestInput } from '../platform/json-depth.ts'
import { messageOf, shown, toSentence } from '../platform/normalize.ts'
import type { ReadyTool } from '../tool/toolbox.ts'
import { effectClass, isChecked } from '../types/effect-class.ts'
import { type Validated, validate } from '../types/schema.ts'
import { type CallJob, incompatible, type Refusal, refuse } from './call-job.ts'
import type { PreparingWork } from './call-work.ts'

/** Parses the arguments with the tool's schema. The tool gets a copy of its own, which it may change. */
export function validateInput(job: CallJob, work: PreparingWork): Refusal | undefined | Promise<Refusal | undefined> {
  const { call, tool, input } = job
  const { malformed, name } = call.part
  if (malformed !== undefined && call.input === null) {
    if (malformed.length > longestInput) return tooLong(job, malformed.length)
    if (jsonDepth(malformed) > deepestJson) {
      return refuse(call, 'validation', `The arguments of ${name} are nested more than ${deepestJson} deep. Flatten them.`)
    }
    const near = malformed.length > 200 ? `${malformed.slice(0, 200)}...` : malformed
    return refuse(call, 'validation', `The arguments of ${name} are not JSON: ${near}\nCall it again with one JSON object.`)
  }
  const size = { characters: 0 }
  const copy = copyOf(input, size)
  if (size.characters > longestInput) return tooLong(job, size.characters)
  const schema = tool.definition.input
  if (!schema) return accepted(job, work, copy)
  const verdict = validate(schema, copy)
  return verdict instanceof Promise ? validatedLater(job, work, verdict) : validated(job, work, verdict)
}

const tooLong = ({ call }: CallJob, characters: number): Refusal =>
  refuse(call, 'validation', `The arguments of ${call.part.name} have ${characters} characters; ${longestInput} are allowed. Send less.`)

const validatedLater = (job: CallJob, work: PreparingWork, verdict: Promise<Validated>): Promise<Refusal | undefined> =>
  verdict.then((settled) => validated(job, work, settled))

function validated(job: CallJob, work: PreparingWork, verdict: Validated): Refusal | undefined {
  if (verdict.kind === 'valid') return accepted(job, work, verdict.value)
  const { call } = job
  const { name } = call.part
  if (call.start || call.answer?.answer.kind === 'approve') {
    return incompatible(work.outbox.frame, call, `The arguments of ${name} no longer fit its schema: ${verdict.problem}.`)
  }
  return refuse(call, 'validation', `The arguments of ${name} do not fit: ${verdict.problem}. Check names and types, and call it again.`)
}

/** The arguments fit; the tool may choose its effect class and its lock by them. */
function accepted(job: CallJob, work: PreparingWork, value: unknown): Refusal | undefined {
  const { call, tool } = job
  const { schedule, effect } = tool.definition
  const lock = schedule?.lock
  job.value = value
  if (typeof effect === 'function') job.tool = { ...tool, effect: classOf(() => effect(value), tool) }
  if (typeof lock !== 'function') return undefined
  try {
    const chosen: unknown = callUserNow(() => lock(value))
    if (chosen !== undefined && typeof chosen !== 'string') throw new Error(`it returned ${shown(chosen)}, which is no text`)
    job.lock = chosen
    return undefined
  } catch (error) {
    const problem = `The lock of ${tool.name} failed: ${toSentence(messageOf(error))}`
    return call.start ? incompatible(work.outbox.frame, call, problem) : refuse(call, 'failed', `${problem} Check the arguments or try another way.`)
  }
}

/** The effect class of one call. What is no class, or cannot be checked by this tool, may do anything: it is `unsafe`. */
export function classOf(effect: () => unknown, { definition }: ReadyTool): EffectClass {
  try {
    const returned = callUserNow(effect)
    if (!effectClass.fits(returned) || (isChecked(returned) && !definition.check)) return 'unsafe'
    return returned as EffectClass
  } catch {
    return 'unsafe'
  }
}

/** A copy of JSON, and about how many characters it has as text: every value has two at least, with the mark behind it. */
function copyOf(value: Json | undefined, size: { characters: number }): unknown {
  size.characters += typeof value === 'string' ? value.length + 2 : 2
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => copyOf(item, size))
  // A spread copies own properties only as data: a key named __proto__ stays a key.
  const copy: Record<string, unknown> = { ...(value as JsonObject) }
  for (const key in copy) {
    size.characters += key.length + 6
    const field = copy[key]
    if (typeof field === 'string') size.characters += field.length
    else if (typeof field === 'object') copy[key] = copyOf(field as Json, size)
  }
  return copy
}
