/**
 * Passing hook points: calls the hooks of a point, journals what they changed, asks when one of them suspends.
 *
 * What a hook returns becomes JSON before it is used: the event, the hooks after it and a replay see the same.
 *
 * HOOK-3. Before a call, the answer to a hook holds for exactly what the question was about: the tool as it is defined, and the arguments as they will be
 *     after all hooks. A hook that had an answer about other arguments is called again with those that the hooks after it have left.
 * HOOK-4. Each hook before a call has a copy of the arguments of its own: what it changes in place changes nothing, and is shown to nobody.
 */
import { type Answer, type Draft, isLoomError, type JsonObject, type Limits, LoomError, type Output, own } from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { messageOf, shown, toJson, toSentence, toText } from '../platform/normalize.ts'
import { toLimits } from '../types/limits.ts'
import { type Answered, type HookContext, type HookTable, isDecision, type Skipped, type Suspended } from './hook.ts'
import type { HookPoint } from './points.ts'
import { checkReturned } from './returned.ts'

/** How passing a point went. */
export type Passing =
  | { readonly kind: 'passed'; readonly drafts: readonly Draft[] }
  /** `subject` is what the question is about. */
  | { readonly kind: 'suspended'; readonly drafts: readonly Draft[]; readonly subject: object | undefined }
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
  /** A digest of what an answer holds for, where that is the subject alone (HOOK-3). */
  readonly bind?: (subject: object | undefined) => string
}

/** The place of a hook's question: each hook has its own answer, and where answers are bound, one for each thing that it may ask about. */
const questionPlace = ({ point, call, context, bind }: Passage, hook: { readonly index: number }, subject: object | undefined): string =>
  `hook:${point}@${call ?? context.turn}/${hook.index}${bind ? `/${bind(subject)}` : ''}`

/** How often hooks may change the arguments that another hook had asked about before they count as never agreeing. */
const mostRounds = 10

/** How far a point is passed. */
interface Progress {
  readonly drafts: Draft[]
  subject: object | undefined
  /** The hooks that were called with an answer, and the place of its question. */
  readonly answered: Map<CalledHook, string>
}

/** Calls the hooks of a point in order. Throws a LoomError when one of them throws, or returns what cannot be used. */
export async function passPoint(passage: Passage): Promise<Passing> {
  const { table, point, bind } = passage
  const progress: Progress = { drafts: [], subject: passage.subject, answered: new Map() }
  let hooks: readonly CalledHook[] = table[point] ?? []
  for (let round = 0; hooks.length > 0; round += 1) {
    for (const hook of hooks) {
      const end = await passHook(passage, hook, { progress, round })
      if (end) return end
    }
    hooks = bind
      ? [...progress.answered].filter(([hook, place]) => place !== questionPlace(passage, hook, progress.subject)).map(([hook]) => hook)
      : []
  }
  return { kind: 'passed', drafts: progress.drafts }
}

/** Calls one hook; returns how the point was passed where that ends it. */
async function passHook(
  passage: Passage,
  hook: CalledHook,
  { progress, round }: { readonly progress: Progress; readonly round: number },
): Promise<Passing | undefined> {
  const { point, call } = passage
  const { drafts, subject } = progress
  try {
    if (round > mostRounds) throw new Error('the hooks after it change the arguments again and again')
    const returned = await returnOf(passage, hook, progress)
    if (returned === undefined) return undefined
    // What earlier hooks changed is not kept: after the answer all of them are called again.
    if (is(returned, 'suspend')) return { kind: 'suspended', drafts: [question(passage, { hook, subject }, returned)], subject }
    if (is(returned, 'skip')) return { kind: 'skipped', reason: toText(returned.reason), drafts }
    if (is(returned, 'answer')) return { kind: 'answered', output: toJson(returned.output) as Output, subject, drafts }
    const { patch, seen } = changeOf(passage, returned, subject)
    progress.subject = { ...subject, ...seen }
    if (patch) drafts.push({ type: 'hook.applied', data: { point, hook: hook.name, ...(call !== undefined && { call }), patch } })
    return undefined
  } catch (cause) {
    // What says itself why the point was not passed needs no other words.
    if (isLoomError(cause) && cause.code === 'LOOM_HOOK_FAILED') throw cause
    // At a call, the run goes on: the call has an error as its result.
    const advice = call === undefined ? 'Fix the hook and resume the thread.' : 'Fix the hook.'
    const message = `The hook "${hook.name}" threw at ${point}: ${toSentence(messageOf(cause))} ${advice}`
    throw new LoomError('LOOM_HOOK_FAILED', message, { cause, context: { hook: hook.name, point } })
  }
}

/** The answer where questions are denied. */
const unattendedAnswer: Answer = { kind: 'reject', reason: 'nobody is there to answer' }

type CalledHook = NonNullable<HookTable[HookPoint]>[number]

/** What a hook returns. Where nobody is there to answer, a hook that suspends is called with a rejection, and what it suspends again is left out. */
async function returnOf(passage: Passage, hook: CalledHook, { subject, answered }: Progress): Promise<object | undefined> {
  const { context, bind } = passage
  const call = async (answer: Answer | undefined): Promise<object | undefined> => {
    const given = bind ? (toJson(subject) as JsonObject) : subject
    const returned: unknown = await callUser(() => hook.call({ ...context, answer }, given))
    if (returned === undefined || returned === null) return undefined
    if (!isPlain(returned)) throw new Error(`it returned ${shown(returned)}, which is neither an object of fields nor nothing`)
    checkReturned(passage.point, returned)
    return returned
  }
  const { hookAnswers } = context.frame
  // Without any answer nothing has to be digested.
  const place = Object.keys(hookAnswers).length > 0 ? questionPlace(passage, hook, subject) : ''
  const given = own(hookAnswers, place)
  if (given) answered.set(hook, place)
  else answered.delete(hook)
  const returned = await call(given)
  if (!returned || !is(returned, 'suspend') || context.frame.run?.request.unattended !== 'deny') return returned
  const again = await call(unattendedAnswer)
  return again && is(again, 'suspend') ? undefined : again
}

/** Whether a value has fields that a patch could be made of: an object that is made of nothing else, or an instance with fields of its own. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || (!(value instanceof String) && Object.keys(value).length > 0)
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

function question(passage: Passage, { hook, subject }: { hook: CalledHook; subject: object | undefined }, { reason }: Suspended): Draft {
  const { call, context } = passage
  const id = `${questionPlace(passage, hook, subject)}#${context.frame.asked + 1}`
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
