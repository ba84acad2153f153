/**
 * What guards ask people, and what people say, as hooks: the points of a turn are where a run can wait.
 *
 * GUARD-6. What a guard asks about an input, a result or a reply is a question of its run; who rejects it takes the text away from the model. Texts that
 *     people gave in place of a result, and results that hooks gave, pass the guards before the model sees them.
 */
import { at, type Call, type Clock, callOf, type Json, LoomError, type Output } from '@loom-agent/kernel'
import { type Hook, type HookContext, suspend } from '../hook/hook.ts'
import { toSentence } from '../platform/normalize.ts'
import type { Guard, GuardNote } from './guard.ts'
import { guardValue } from './guard-value.ts'

/** The hook that asks what guards ask. */
export function guardHook(guards: readonly Guard[], clock: Clock): Hook<never> {
  return {
    name: 'guards',
    beforeIterationStart({ frame, answer }) {
      const { run } = frame
      const asked = run && frame.turn < run.firstTurn ? run.request.guarded?.find(({ verdict }) => verdict === 'ask') : undefined
      if (!asked || answer?.kind === 'approve') return undefined
      if (answer) throw notReleased(asked, answer)
      return suspend(`${asked.guard} asks about the input: ${asked.reason ?? ''}`)
    },
    async afterToolExecution({ frame, answer, thread }, { id, tool, output }) {
      const call = frame.run && callOf(frame.run, id)
      const left = call && isGiven(call) ? await guardedOutput(output, { guards, place: { thread, at: 'result', tool }, clock }) : undefined
      const asked = (left?.notes ?? notesIn(call?.outcome?.meta?.['guards'])).find(({ verdict }) => verdict === 'ask')
      const replaced = left && left.notes.length > 0 ? { output: left.output } : undefined
      if (!asked || answer?.kind === 'approve') return replaced
      if (answer) return { status: 'error', output: { type: 'error', value: `The result of ${tool} is withheld: ${reasonOf(answer)}.` } }
      return suspend(`${asked.guard} asks about the result of ${tool}: ${asked.reason ?? ''}`)
    },
    afterModelReply({ frame, answer }: HookContext<never>) {
      const warnings = at(frame.history, frame.history.length - 1)?.reply?.warnings
      const asked = warnings?.find(({ type }) => type === 'guard-ask')
      if (!asked || answer?.kind === 'approve') return undefined
      if (answer) return { parts: [{ type: 'text', text: `[withheld: ${reasonOf(answer)}]` }] }
      return suspend(`${asked.feature} asks about the reply: ${asked.message}`)
    },
  }
}

/** Nothing is wrong with a hook: a person has decided. */
function notReleased({ guard }: GuardNote, answer: NonNullable<HookContext['answer']>): LoomError {
  const advice = 'Start a run with another input: where this one is resumed, the answer holds.'
  const message = `The input was not released, which the guard ${guard} had asked about: ${toSentence(reasonOf(answer))} ${advice}`
  return new LoomError('LOOM_HOOK_FAILED', message, { context: { hook: 'guards', point: 'beforeIterationStart', guard } })
}

const reasonOf = (answer: NonNullable<HookContext['answer']>): string => (answer.kind === 'reject' && answer.reason) || 'a person rejected it'

/** Whether the result of a call is what a person or a hook gave. */
const isGiven = ({ answer, outcome }: Call): boolean =>
  (answer !== undefined && answer.answer.kind !== 'approve' && answer.answer.kind !== 'edit') || outcome?.meta?.['answered'] === true

const notesIn = (notes: Json | undefined): readonly GuardNote[] => (Array.isArray(notes) ? (notes as readonly GuardNote[]) : [])

type Guarding = Parameters<typeof guardValue>[0]

/** An output that people or hooks gave, as guards leave it. */
async function guardedOutput(output: Output, guarding: Guarding): Promise<{ readonly output: Output; readonly notes: readonly GuardNote[] }> {
  if (output.type === 'parts') return { output, notes: [] }
  const { left, notes } = await guardValue(guarding, output.value)
  if (left instanceof Error) return { output: { type: 'error', value: left.message }, notes }
  return { output: { type: output.type, value: left } as Output, notes }
}
