/**
 * Passing hook points: calls the hooks of a point, journals what they changed, asks when one of them suspends.
 *
 * What a hook returns becomes JSON before it is used: the event, the hooks after it and a replay see the same.
 */
import { type Answer, type Draft, type JsonObject, type Limits, LoomError, type Output } from '@loom-agent/kernel'
import { messageOf, shown, toJson, toSentence, toText } from '../platform/normalize.ts'
import { toLimits } from '../types/limits.ts'
import { type Answered, type HookContext, type HookTable, isDecision, type Skipped, type Suspended } from './hook.ts'
import type { HookPoint } from './points.ts'
import { checkReturned } from './returned.ts'

/** How passing a point went. */
export type Passing =
  | { readonly kind: 'passed'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'suspended'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'skipped'; readonly reason: string; readonly drafts: readonly Draft[] }
  /** `subject` is what the hooks before have made of it. */
  | { readonly kind: 'answered'; readonly output: Output; readonly subject: object | undefined; readonly drafts: readonly Draft[] }

/** What a point is passed with. */
export interface Passage {
  readonly table: HookTable
  readonly point: HookPoint
  /** The call at a tool point. */
  readonly call?: string
  readonly context: Omit<HookContext, 'answer'>
  /** What the hooks look at, as the hooks before have left it. */
  readonly subject?: object | undefined
  /** What of a return value is journaled; undefined when it changes nothing. */
  readonly patchOf: (returned: object, subject: object | undefined) => JsonObject | undefined
}

/** The place of a hook's question: each hook has its own answer. */
const questionPlace = ({ point, call, context }: Passage, hook: { readonly index: number }): string =>
  `hook:${point}@${call ?? context.turn}/${hook.index}`

/** Calls the hooks of a point in order. Throws a LoomError when one of them throws, or returns what cannot be used. */
export async function passPoint(passage: Passage): Promise<Passing> {
  const { table, point, call } = passage
  const drafts: Draft[] = []
  let { subject } = passage
  for (const hook of table[point] ?? []) {
    try {
      const returned = await returnOf(passage, hook, subject)
      if (returned === undefined) continue
      // What earlier hooks changed is not kept: after the answer all of them are called again.
      if (is(returned, 'suspend')) return { kind: 'suspended', drafts: [question(passage, hook, returned)] }
      if (is(returned, 'skip')) return { kind: 'skipped', reason: toText(returned.reason), drafts }
      if (is(returned, 'answer')) return { kind: 'answered', output: toJson(returned.output) as Output, subject, drafts }
      const { patch, seen } = changeOf(passage, returned, subject)
      subject = { ...subject, ...seen }
      if (patch) drafts.push({ type: 'hook.applied', data: { point, hook: hook.name, ...(call !== undefined && { call }), patch } })
    } catch (cause) {
      // At a call, the run goes on: the call has an error as its result.
      const advice = call === undefined ? 'Fix the hook and resume the thread.' : 'Fix the hook.'
      const message = `The hook "${hook.name}" threw at ${point}: ${toSentence(messageOf(cause))} ${advice}`
      throw new LoomError('LOOM_HOOK_FAILED', message, { cause, context: { hook: hook.name, point } })
    }
  }
  return { kind: 'passed', drafts }
}

/** The answer where questions are denied. */
const unattendedAnswer: Answer = { kind: 'reject', reason: 'nobody is there to answer' }

type CalledHook = NonNullable<HookTable[HookPoint]>[number]

/** What a hook returns. Where nobody is there to answer, a hook that suspends is called with a rejection, and what it suspends again is left out. */
async function returnOf(passage: Passage, hook: CalledHook, subject: object | undefined): Promise<object | undefined> {
  const { context } = passage
  const call = async (answer: Answer | undefined): Promise<object | undefined> => {
    const returned: unknown = await hook.call({ ...context, answer }, subject)
    if (returned === undefined || returned === null) return undefined
    if (!isPlain(returned)) throw new Error(`it returned ${shown(returned)}, which is neither an object of fields nor nothing`)
    checkReturned(passage.point, returned)
    return returned
  }
  const returned = await call(context.frame.hookAnswers[questionPlace(passage, hook)])
  if (!returned || !is(returned, 'suspend') || context.frame.run?.request.unattended !== 'deny') return returned
  const again = await call(unattendedAnswer)
  return again && is(again, 'suspend') ? undefined : again
}

/** Whether a value has fields that a patch could be made of. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

interface Change {
  readonly patch: JsonObject | undefined
  /** What the hooks after it see of the change. */
  readonly seen: object
}

/** What of a return value is journaled, and what the next hook sees of it. */
function changeOf({ point, patchOf }: Passage, returned: object, subject: object | undefined): Change {
  const patch = patchOf(returned, subject)
  // Messages of a request are known by identity; their patch is JSON already.
  if (point === 'beforeModelCall') return { patch, seen: returned }
  const seen = toJson(returned) as JsonObject
  const plain = patch && (toJson(patch) as JsonObject)
  return { patch: plain && Object.keys(plain).length > 0 ? plain : undefined, seen }
}

type Decision = Suspended | Skipped | Answered

const is = <K extends Decision['kind']>(returned: object, kind: K): returned is Extract<Decision, { kind: K }> =>
  isDecision(returned) && returned.kind === kind

function question(passage: Passage, hook: { readonly index: number }, { reason }: Suspended): Draft {
  const { call, context } = passage
  const id = `${questionPlace(passage, hook)}#${context.frame.asked + 1}`
  return { type: 'question.asked', data: { id, kind: 'hook', prompt: toText(reason), ...(call !== undefined && { call }) } }
}

/** The patch of points that change the run. */
export function runPatch(returned: object): JsonObject | undefined {
  const { say, instructions, limits, ...rest } = returned as { say?: string; instructions?: string; limits?: Limits }
  const patch = {
    ...(toJson(rest) as JsonObject),
    ...(limits !== undefined && { limits: toLimits('its answer', limits) }),
    ...(say !== undefined && { say: [{ role: 'user', parts: [{ type: 'text', text: toText(say) }] }] }),
    ...(instructions !== undefined && { system: toText(instructions) }),
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}
