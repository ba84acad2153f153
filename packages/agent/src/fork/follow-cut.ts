/** What a parent did after the cut on the run that its fork goes on with, and what it recorded of each call. */
import {
  type Call,
  type EffectClass,
  evolve,
  type Frame,
  fold,
  isOver,
  items,
  type Json,
  type LoomEvent,
  type QuestionData,
} from '@loom-agent/kernel'
import { isHarmless } from '../types/effect-class.ts'
import type { Cut } from './fork-types.ts'

/** What followed the cut: the events of one run, and the calls that its model proposed. */
interface Followed {
  readonly events: readonly LoomEvent[]
  readonly calls: readonly Call[]
}

/** What followed the cut in the run that a fork goes on with: the run at the cut, or for another input the next one where that had its answer. */
export function followCut({ events, edits, moment, before: { run } }: Cut & { readonly before: Frame }): Followed {
  const later = events.slice(moment.seq)
  const isNew = edits.some(({ kind }) => kind === 'input')
  const hasAnswer = isNew && !later.some((event) => event.run === run?.id && event.type === 'model.replied')
  const goesOn = run && !hasAnswer && (!isOver(run) || run.status === 'failed')
  const followed = goesOn ? run.id : isNew ? later.find(({ type }) => type === 'run.started')?.run : undefined
  if (followed === undefined) return { events: [], calls: [] }
  const calls = new Map<string, Call>()
  let frame = fold(moment.thread, events.slice(0, moment.seq))
  for (const event of later) {
    frame = evolve(frame, event)
    if (event.run !== followed || !frame.run || !proposes(event)) continue
    // A hook may have replaced the reply, and its calls with it.
    for (const id of calls.keys()) if (id.startsWith(`${frame.turn}.`)) calls.delete(id)
    for (const call of items(frame.run.calls)) calls.set(call.id, call)
  }
  return { events: later.filter((event) => event.run === followed), calls: [...calls.values()] }
}

const proposes = ({ type, data }: LoomEvent): boolean => type === 'model.replied' || (type === 'hook.applied' && 'parts' in data.patch)

/** What a parent recorded of a call. */
export interface CallNotes {
  /** The class under which it was started. */
  readonly effect?: EffectClass
  /** The arguments that hooks made of those proposed. */
  readonly input?: Json
  /** What hooks asked before it. */
  readonly hookQuestions?: readonly QuestionData[]
  /** How hooks ended it. */
  readonly byHook?: 'skipped' | 'answered'
  /** How the stages before execution ended it. */
  readonly verdict?: 'asked' | 'denied' | 'refused'
  /** A human gave its result. */
  readonly isGiven?: true
  /** The keys of steps and children of its body that may have changed the world. */
  readonly changing?: readonly string[]
}

/** The errors with which calls end that cannot be executed. */
const refusals: ReadonlySet<string | undefined> = new Set(['not-found', 'unavailable', 'validation'])

/** What a thread has recorded of its calls. */
export function noteCalls(events: readonly LoomEvent[]): ReadonlyMap<string, CallNotes> {
  const notes = new Map<string, CallNotes>()
  const questions = new Map<string, QuestionData>()
  const note = (call: string, added: CallNotes): void => void notes.set(call, { ...notes.get(call), ...added })
  for (const event of events) {
    switch (event.type) {
      case 'thread.forked':
        // What was open there was decided anew.
        for (const [call, { effect }] of notes) notes.set(call, effect ? { effect } : {})
        break
      case 'tool.started':
        note(event.data.call, { effect: event.data.effect })
        break
      case 'tool.step-started':
        if (!isHarmless(event.data.effect)) noteChange(notes, event.data)
        break
      case 'child.started':
        noteChange(notes, event.data)
        break
      case 'hook.applied':
        if (event.data.point === 'beforeToolExecution' && event.data.call !== undefined) note(event.data.call, inputOf(event.data.patch))
        break
      case 'question.asked':
        questions.set(event.data.id, event.data)
        noteQuestion(notes, event.data)
        break
      case 'question.answered': {
        const { call, key } = questions.get(event.data.id) ?? {}
        if (call !== undefined && key === undefined && event.data.answer.kind === 'respond') note(call, { isGiven: true })
        break
      }
      case 'tool.denied':
        if (event.data.errorType === 'permission') note(event.data.call, { verdict: 'denied' })
        break
      case 'tool.finished':
        note(event.data.call, endOf(event.data, notes.get(event.data.call)))
        break
    }
  }
  return notes
}

function noteChange(notes: Map<string, CallNotes>, { call, key }: { readonly call: string; readonly key: string }): void {
  const known = notes.get(call)
  notes.set(call, { ...known, changing: [...(known?.changing ?? []), key] })
}

const inputOf = ({ input }: { readonly input?: Json }): CallNotes => (input === undefined ? {} : { input })

function noteQuestion(notes: Map<string, CallNotes>, question: QuestionData): void {
  const { id, call, kind } = question
  if (call === undefined) return
  const known = notes.get(call)
  if (kind === 'approval') notes.set(call, { ...known, verdict: 'asked' })
  if (id.startsWith('hook:beforeToolExecution@')) notes.set(call, { ...known, hookQuestions: [...(known?.hookQuestions ?? []), question] })
}

/** How a call ended without being executed, as far as its result says so. */
function endOf({ errorType, meta }: Extract<LoomEvent, { type: 'tool.finished' }>['data'], known: CallNotes | undefined): CallNotes {
  if (errorType === 'skipped') return { byHook: 'skipped' }
  if (meta?.['answered'] === true && !known?.isGiven) return { byHook: 'answered' }
  return refusals.has(errorType) && known?.effect === undefined ? { verdict: 'refused' } : {}
}
