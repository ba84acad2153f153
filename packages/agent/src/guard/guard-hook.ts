/**
 * What guards ask people, and what people say, as hooks: the points of a turn are where a run can wait.
 *
 * GUARD-6. What a guard asks about an input, a result or a reply is a question of its run; who rejects it takes the text away from the model. Texts that
 *     people gave in place of a result, and results that hooks gave, pass the guards before the model sees them. Where several guards ask, one question has
 *     what each of them asks: who releases the text has read all of it.
 */
import { at, type Call, type Clock, callOf, type Json, LoomError, type Output } from '@loom-agent/kernel'
import { type Hook, type HookContext, suspend } from '../hook/hook.ts'
import { toSentence } from '../platform/normalize.ts'
import type { Guard, GuardNote } from './guard.ts'
import { guardParts, guardValue } from './guard-value.ts'

/** The hook that asks what guards ask. */
export function guardHook(guards: readonly Guard[], clock: Clock): Hook<never> {
  return {
    name: 'guards',
    beforeIterationStart({ frame, answer }) {
      const { run } = frame
      const asked = askedIn((run && frame.turn < run.firstTurn ? run.request.guarded : undefined) ?? [], 'the input')
      if (asked === undefined || answer?.kind === 'approve') return undefined
      if (answer) throw notReleased(run?.request.guarded ?? [], answer)
      return suspend(asked)
    },
    async afterToolExecution({ frame, answer, thread }, { id, tool, output }) {
      const call = frame.run && callOf(frame.run, id)
      const left =
        call && (isGiven(call) || isReplaced(call, output))
          ? await guardedOutput(output, { guards, place: { thread, at: 'result', tool }, clock })
          : undefined
      const asked = askedIn(left?.notes ?? notesIn(call?.outcome?.meta?.['guards']), `the result of ${tool}`)
      const replaced = left && left.notes.length > 0 ? { output: left.output } : undefined
      if (asked === undefined || answer?.kind === 'approve') return replaced
      if (answer) return { status: 'error', output: { type: 'error', value: `The result of ${tool} is withheld: ${reasonOf(answer)}.` } }
      return suspend(asked)
    },
    afterModelReply({ frame, answer }: HookContext<never>) {
      const warnings = at(frame.history, frame.history.length - 1)?.reply?.warnings ?? []
      const notes = warnings.map(({ type, feature = '', message }) => ({ guard: feature, verdict: type.replace(/^guard-/, ''), reason: message }))
      const asked = askedIn(notes, 'the reply')
      if (asked === undefined || answer?.kind === 'approve') return undefined
      if (answer) return { parts: [{ type: 'text', text: `[withheld: ${reasonOf(answer)}]` }] }
      return suspend(asked)
    },
  }
}

/** What all guards ask about a text; undefined where none of them asks. */
function askedIn(notes: readonly { readonly guard: string; readonly verdict: string; readonly reason?: string }[], what: string): string | undefined {
  const asking = notes.filter(({ verdict }) => verdict === 'ask').map(({ guard, reason = '' }) => `${guard} asks about ${what}: ${reason}`)
  return asking.length > 0 ? [...new Set(asking)].join('\n') : undefined
}

/** Nothing is wrong with a hook: a person has decided. */
function notReleased(notes: readonly Pick<GuardNote, 'guard' | 'verdict'>[], answer: NonNullable<HookContext['answer']>): LoomError {
  const guard = notes.find(({ verdict }) => verdict === 'ask')?.guard ?? ''
  const advice = 'Start a run with another input: where this one is resumed, the answer holds.'
  const message = `The input was not released, which the guard ${guard} had asked about: ${toSentence(reasonOf(answer))} ${advice}`
  return new LoomError('LOOM_HOOK_FAILED', message, { context: { hook: 'guards', point: 'beforeIterationStart', guard } })
}

const reasonOf = (answer: NonNullable<HookContext['answer']>): string => (answer.kind === 'reject' && answer.reason) || 'a person rejected it'

/** Whether the result of a call is what a person or a hook gave. */
const isGiven = ({ answer, outcome }: Call): boolean =>
  (answer !== undefined && answer.answer.kind !== 'approve' && answer.answer.kind !== 'edit') || outcome?.meta?.['answered'] === true

/** Whether a hook before this one has put another result in place of the call's own. */
const isReplaced = ({ outcome }: Call, output: Output): boolean =>
  outcome !== undefined && outcome.output !== output && JSON.stringify(outcome.output) !== JSON.stringify(output)

const notesIn = (notes: Json | undefined): readonly GuardNote[] => (Array.isArray(notes) ? (notes as readonly GuardNote[]) : [])

type Guarding = Parameters<typeof guardValue>[0]

/** An output that people or hooks gave, as guards leave it. */
async function guardedOutput(output: Output, guarding: Guarding): Promise<{ readonly output: Output; readonly notes: readonly GuardNote[] }> {
  const { left, notes } = output.type === 'parts' ? await guardParts(guarding, output.value) : await guardValue(guarding, output.value)
  if (left instanceof Error) return { output: { type: 'error', value: left.message }, notes }
  return { output: { type: output.type, value: left } as Output, notes }
}
