/** Effects after the cut of a fork: taken from the parent's record, left out, or asked about. They hold in the children of the fork too. */
import {
  type Blobs,
  type Call,
  type Draft,
  type EffectClass,
  type ForkEffects,
  type Frame,
  type Journal,
  LoomError,
  type LoomEvent,
  readEvents,
  type ToolOutcome,
} from '@loom-agent/kernel'
import { type CompiledPolicy, compilePolicy } from '../permission/compile-policy.ts'
import { marked } from '../platform/shorten.ts'
import { shortenedOf } from '../platform/shortened.ts'
import { ownBlob } from '../tool/own-blob.ts'
import { changingClasses, isHarmless } from '../types/effect-class.ts'
import { type Moment, parseMoment } from '../types/moment.ts'
import type { Refusal } from './call-job.ts'
import { createParentRecord, type ParentRecord, putBack, type RecordedCall, takeAnswers, takeOutcome, usedBy } from './parent-record.ts'

/** What the calls of a fork get instead of being run, and what it asks about. */
export interface StandIns {
  /** Those that a fork adds to the policies of its agent. */
  readonly policies: readonly (CompiledPolicy | undefined)[]
  /** What a call gets from the record of the parent instead of being run. */
  take(call: Call): Refusal | undefined
  /** Whether calls of this class are left out: nobody is asked about them. */
  stubs(effect: EffectClass): boolean
  /** What a call that might have run gets instead where it is left out. */
  stub(call: Call, effect: EffectClass): Refusal | undefined
  /** The same drafts, each question that was answered in the record of the parent followed by its answers. */
  withAnswers(drafts: readonly Draft[], call: Call | undefined): readonly Draft[]
  /** Makes available again what drafts had taken from the record: they were dropped before they were durable. */
  putBack(drafts: readonly Draft[]): void
  /** Throws for a step that changes the world in a tool that says that it does not: nobody was asked about it. */
  checkStep(step: { readonly name: string; readonly effect: EffectClass }, tool: { readonly name: string; readonly effect: EffectClass }): void
}

/** The stand-ins of a fork, or of a child in one. A child has no record of its own to take from. */
export async function createStandIns(journal: Journal, frame: Frame, effects: ForkEffects): Promise<StandIns> {
  return standInsOf(effects, effects === 'recorded' ? await readRecord(journal, frame) : undefined)
}

/** The stand-ins of a fork with these effects, and with what its parent recorded. */
export function standInsOf(effects: ForkEffects, record: ParentRecord | undefined): StandIns {
  const stubs = (effect: EffectClass): boolean => effects === 'stub' && !isHarmless(effect)
  return {
    policies: effects === 'ask' || effects === 'recorded' ? [changesTheWorld()] : [],
    take(call) {
      const recorded = record && takeOutcome(record, call)
      return recorded && fromRecord(call, recorded)
    },
    stubs,
    stub: (call, effect) => (stubs(effect) ? finished(call, stubbed(call)) : undefined),
    withAnswers: (drafts, call) => (record ? drafts.flatMap((draft) => [draft, ...answersTo(record, draft, call)]) : drafts),
    putBack(drafts) {
      for (const draft of drafts) if (record) putBack(record, usedIn(draft))
    },
    checkStep(step, tool) {
      if (effects === 'live' || isHarmless(step.effect) || !isHarmless(tool.effect)) return
      const what = `The step ${step.name} is ${step.effect}, but its tool ${tool.name} is declared ${tool.effect}`
      throw new LoomError('LOOM_STEP_REJECTED', `${what}: a fork with the effects "${effects}" does not run it. Declare the tool ${step.effect}.`, {
        context: { step: step.name, tool: tool.name, effects },
      })
    },
  }
}

const usedIn = (draft: Draft): unknown =>
  draft.type === 'tool.finished' ? draft.data.meta?.['recorded'] : draft.type === 'question.answered' ? draft.data.recorded : undefined

/** Reads what the parent recorded after the cut and the fork has not used. */
async function readRecord(journal: Journal, { fork, thread, incarnation }: Frame): Promise<ParentRecord | undefined> {
  const parent = fork && parseMoment(fork.from)
  if (!parent || thread === parent.thread) return undefined
  const used = new Set<unknown>()
  for await (const event of readEvents(journal, thread, { from: parent.seq + 1, incarnation })) used.add(usedBy(event))
  const { record, add } = createParentRecord({ parent, used })
  for await (const event of readEvents(journal, parent.thread)) add(event, await blobsOf(journal, event, parent))
  return record
}

/** What a result after the cut refers to: the fork brings its own copy, because its parent may be removed, and is exported up to the cut. */
async function blobsOf(journal: Journal, { type, data, seq }: LoomEvent, cut: Moment): Promise<Blobs | undefined> {
  const name = type === 'tool.finished' && seq > cut.seq ? data.whole?.text.$blob : undefined
  const bytes = name === undefined ? undefined : await ownBlob(journal, cut.thread, name)
  return name === undefined || !bytes ? undefined : new Map([[name, bytes]])
}

/** The answers that the parent's record has to a question that is asked. */
function answersTo(record: ParentRecord, draft: Draft, call: Call | undefined): readonly Draft[] {
  if (draft.type !== 'question.asked') return []
  const { id } = draft.data
  const taken = takeAnswers(record, draft.data, call)
  return (taken?.value.votes ?? []).map((vote) => ({ type: 'question.answered', data: { id, ...vote, recorded: taken?.at ?? '' } }))
}

const finished = ({ id }: Pick<Call, 'id'>, outcome: ToolOutcome, blobs?: Blobs): Refusal => [
  { type: 'tool.finished', data: { call: id, ...outcome }, blobs },
]

/** A call that ends as it did in the parent of a fork. Arguments that were changed there are a patch, as those that a hook changes. */
function fromRecord(call: Call, { outcome: recorded, input, blobs }: RecordedCall): Refusal {
  const outcome = renamed(recorded, call.id)
  const patch: Draft = { type: 'hook.applied', data: { point: 'beforeToolExecution', call: call.id, patch: { input: input ?? null } } }
  return input === undefined ? finished(call, outcome, blobs) : [patch, ...finished(call, outcome, blobs)]
}

/** The outcome with a mark that names the call as the fork does. */
function renamed(outcome: ToolOutcome, call: string): ToolOutcome {
  const { output, whole } = outcome
  const shortened = whole && typeof output.value === 'string' ? shortenedOf(output.value) : undefined
  if (shortened?.call === undefined) return outcome
  return { ...outcome, output: { ...output, value: marked({ ...shortened, call }) } as ToolOutcome['output'] }
}

/** The result of a call that is left out. */
function stubbed({ part: { name } }: Call): ToolOutcome {
  const value = `${name} was not run: this thread is a fork whose effects are left out. Go on as if it had succeeded.`
  return { status: 'warning', output: { type: 'text', value }, meta: { stubbed: true } }
}

let compiled: CompiledPolicy | undefined

/** Asks about what changes the world. Made when the first fork needs it: importing does no work. */
function changesTheWorld(): CompiledPolicy {
  const rule = { tool: '*', effect: changingClasses, verdict: 'ask', reason: 'this thread is a fork' } as const
  compiled ??= { ...compilePolicy({ rules: [rule], default: 'allow' }), isOfFork: true }
  return compiled
}
