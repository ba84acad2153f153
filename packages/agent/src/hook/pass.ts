/** Passing hook points: runs what has a say there, journals what it changed, asks when it suspends. */
import { type Answer, type Draft, type HookPoint, type JsonObject, LoomError, type Output } from '@loom-agent/kernel'
import { messageOf, toJson } from '../platform/normalize.ts'
import type { Answered, HookAnswer, HookContext, HookTable, Skipped, Suspended } from './hook.ts'

/** How passing a point went. */
export type Passing =
  | { readonly kind: 'passed'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'suspended'; readonly drafts: readonly Draft[] }
  | { readonly kind: 'skipped'; readonly reason: string; readonly drafts: readonly Draft[] }
  | { readonly kind: 'answered'; readonly output: Output; readonly drafts: readonly Draft[] }

/** What a point is passed with. */
export interface Passage {
  readonly table: HookTable
  readonly point: HookPoint
  /** The call at a tool point. */
  readonly call?: string
  readonly context: Omit<HookContext, 'answer'>
  /** What the hooks look at, as the hooks before have left it. */
  readonly subject?: object | undefined
  /** Makes of an answer what is journaled; undefined when it changes nothing. */
  readonly patchOf: (answer: object, subject: object | undefined) => JsonObject | undefined
}

/** The place of a hook's question: each hook is answered for itself. */
const questionPlace = ({ point, call, context }: Passage, hook: { readonly index: number }): string =>
  `hook:${point}@${call ?? context.turn}/${hook.index}`

/** What names a point that was passed, in the frame and in memory. */
export function passedName(point: HookPoint, call = ''): string {
  return `${point}@${call}`
}

/** Calls the hooks of a point in order. Throws a LoomError when one of them throws. */
export async function passPoint(passage: Passage): Promise<Passing> {
  const { table, point, call, context } = passage
  const drafts: Draft[] = []
  let { subject } = passage
  for (const hook of table[point] ?? []) {
    const answer = context.frame.hookAnswers[questionPlace(passage, hook)]
    let returned = await ask(hook, point, { context: { ...context, answer }, subject })
    if (returned && isSuspended(returned) && context.frame.run?.request.unattended === 'deny') {
      returned = await ask(hook, point, { context: { ...context, answer: nobody }, subject })
      if (returned && isSuspended(returned)) continue
    }
    if (returned === undefined) continue
    // What earlier hooks changed is not kept: after the answer all of them are called again.
    if (isSuspended(returned)) return { kind: 'suspended', drafts: [question(passage, hook, returned)] }
    if (isSkipped(returned)) return { kind: 'skipped', reason: returned.reason, drafts }
    if (isAnswered(returned)) return { kind: 'answered', output: returned.output, drafts }
    const patch = passage.patchOf(returned, subject)
    subject = { ...subject, ...returned }
    if (patch) drafts.push({ type: 'hook.applied', data: { point, hook: hook.name, ...(call !== undefined && { call }), patch } })
  }
  return { kind: 'passed', drafts }
}

/** The answer where nobody will ever give one. */
const nobody: Answer = { kind: 'reject', reason: 'nobody is there to answer' }

type CalledHook = { readonly name: string; readonly call: (context: HookContext, subject?: unknown) => HookAnswer<object> }

async function ask(hook: CalledHook, point: HookPoint, given: { context: HookContext; subject: object | undefined }): Promise<object | undefined> {
  try {
    return (await hook.call(given.context, given.subject)) ?? undefined
  } catch (cause) {
    const advice = 'Mend the hook and resume the thread.'
    throw new LoomError('LOOM_HOOK_FAILED', `The hook "${hook.name}" threw at ${point}: ${messageOf(cause)}. ${advice}`, {
      cause,
      context: { hook: hook.name, point },
    })
  }
}

const isSuspended = (answer: object): answer is Suspended => 'kind' in answer && answer.kind === 'suspend'
const isAnswered = (answer: object): answer is Answered => 'kind' in answer && answer.kind === 'answer'
const isSkipped = (answer: object): answer is Skipped => 'kind' in answer && answer.kind === 'skip'

function question(passage: Passage, hook: { readonly index: number }, { reason }: Suspended): Draft {
  const { call, context } = passage
  const id = `${questionPlace(passage, hook)}#${context.frame.asked + 1}`
  return { type: 'question.asked', data: { id, kind: 'hook', prompt: reason, ...(call !== undefined && { call }) } }
}

/** The patch of points that change the run. */
export function runPatch(answer: object): JsonObject | undefined {
  const { say, instructions, ...rest } = answer as { say?: string; instructions?: string }
  const patch = {
    ...(toJson(rest) as JsonObject),
    ...(say !== undefined && { say: [{ role: 'user', parts: [{ type: 'text', text: say }] }] }),
    ...(instructions !== undefined && { system: instructions }),
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}
