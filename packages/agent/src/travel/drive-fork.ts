/**
 * Driving the fork of a replay to its end: the run at the cut, then every later input of the record.
 *
 * REPLAY-4. The fork is given what the record was given, in order: each input when the run before has ended, with the limits and the metadata it had;
 *     messages that were steered into a run with its input, or before the run at the cut goes on; signals when a call waits for them.
 * REPLAY-5. A recorded answer settles a question that asks the same, each answer once. Where the effects are `recorded`, the fork itself takes the answers
 *     that its thread was given (STANDIN-1): it gets here only those that children were given, and that nobody answered in time. Limits, calls in doubt
 *     and parked threads are never answered from the record, and a recorded approval lets a call run only where the fork may run calls anyway (`live`)
 *     or runs none (`stub`).
 * REPLAY-6. Stops, pauses and resumptions of the record are not repeated. Where a run waits for something that the record does not give, the fork is left
 *     there, and the inputs after it are not given.
 */

import { addTaint, type Draft, type ForkEffects, type Json, type Limits } from '@loom-agent/kernel'
import type { Resolver } from '../definition/agent-options.ts'
import type { ErasedFork } from '../fork/fork-types.ts'
import { callUser } from '../platform/call-user.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { startRun } from '../run/start-run.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import type { SignedAnswer } from '../types/answer.ts'
import type { Moment } from '../types/moment.ts'
import type { Question } from '../types/question.ts'
import type { Result, Waiting } from '../types/result.ts'
import { inputText, keyOf, type RecordedLife, type RecordedRun, recordedAfter } from './recorded-runs.ts'
import type { ReplayOutcome, RunOutcome } from './replay-outcome.ts'

/** How a fork is driven on. */
export interface DriveForkOptions {
  /** Answers the questions that the record has no answer to; without it they stay open. */
  readonly onQuestion?: Resolver
}

/** A fork that was driven on, beside its record. */
export interface LiveReplay {
  /** How the record went on from the first difference. */
  readonly recorded: ReplayOutcome
  /** How the fork went on. */
  readonly replayed: ReplayOutcome
  /** Inputs of the record that were not given, because a run before them waits. */
  readonly inputsLeft: number
}

/** The fork to drive, and what it may do. */
export interface ForkToDrive {
  readonly fork: ErasedFork
  /** Where the record was cut. */
  readonly cut: Moment
  readonly effects: ForkEffects
  readonly limits: Limits | undefined
  readonly onQuestion: Resolver | undefined
}

/** Drives a fork on with what its record was given. */
export async function driveFork(instance: AgentInstance, asked: ForkToDrive): Promise<LiveReplay> {
  const { fork, cut, limits } = asked
  const life = await recordedAfter(instance.runtime.journal, cut, asked.effects)
  const record = createRecordedAnswers(life, asked)
  const outcomes: RunOutcome[] = []
  for (const run of life.runs) {
    const handle =
      run.input === undefined ? await goOn(instance, fork, run) : startNext(instance, fork, { ...run, limits: { ...run.limits, ...limits } })
    const result = await settle(handle, record)
    outcomes.push(outcomeOf(result, run))
    if (result.status === 'waiting') break
  }
  return {
    recorded: { thread: cut.thread, runs: life.runs.map(({ outcome }) => outcome) },
    replayed: { thread: fork.thread, runs: outcomes },
    inputsLeft: life.runs.length - outcomes.length,
  }
}

/** Goes on with the run at the cut, after the messages that were steered into it later. */
async function goOn({ runtime }: AgentInstance, fork: ErasedFork, { steered }: RecordedRun): Promise<RunHandle<unknown>> {
  const drafts = steered.map((data): Draft => ({ type: 'message.steered', data }))
  if (drafts.length > 0) await appendInput(runtime, await runtime.threads.load(fork.thread), () => drafts)
  return fork.resume()
}

/** Starts the next run. Its messages are one input: all of them are pinned where one of them is. */
function startNext(instance: AgentInstance, { thread }: ErasedFork, recorded: RecordedRun): RunHandle<unknown> {
  const { input = [], steered, limits, metadata, permissions, pin } = recorded
  const messages = [...input, ...steered.map(({ message }) => message)]
  const isPinned = pin || steered.some((one) => one.pin)
  const taint = steered.reduce((read, one) => addTaint(read, one.taint), recorded.taint)
  const options = { limits, ...(metadata && { metadata }), ...(permissions && { permissions }), ...(isPinned && { pin: true }) }
  return startRun(instance, { thread, messages, options, ...(taint && { taint }) })
}

/** Waits for the end of a run, and gives it what the record has while it waits. */
async function settle(handle: RunHandle<unknown>, record: RecordedAnswers): Promise<Result<unknown>> {
  for (;;) {
    const result = await handle.result()
    if (result.status !== 'waiting' || !(await record.giveTo(handle, result))) return result
  }
}

/** What the record answers. */
interface RecordedAnswers {
  /** Gives a waiting run the next thing that it waits for; whether there was one. */
  giveTo(handle: RunHandle<unknown>, waiting: Waiting): Promise<boolean>
}

function createRecordedAnswers({ signals, answers }: RecordedLife, { effects, onQuestion }: ForkToDrive): RecordedAnswers {
  const unsent = [...signals]
  const unused = new Map([...answers].map(([key, given]) => [key, [...given]]))
  /** Questions that nothing has answered are not asked again. */
  const refused = new Set<string>()
  const mayApprove = effects === 'live' || effects === 'stub'

  const fromRecord = (question: Question): readonly SignedAnswer[] => {
    if (question.kind !== 'approval' && question.kind !== 'choice' && question.kind !== 'hook') return []
    const next = unused.get(keyOf(question))?.shift()
    if (!next) return []
    const letsRun = next.answer.kind === 'approve' || next.answer.kind === 'edit'
    if (question.kind === 'approval' && letsRun && !mayApprove) return []
    return next.by.map((by) => ({ answer: next.answer, by }))
  }
  const answersTo = async (question: Question): Promise<readonly SignedAnswer[]> => {
    const recorded = fromRecord(question)
    if (recorded.length > 0) return recorded
    const answer = await callUser(() => onQuestion?.(question))
    return answer ? [answer] : []
  }

  return {
    async giveTo(handle, { questions, waits }) {
      for (const question of questions) {
        if (refused.has(question.id)) continue
        const given = await answersTo(question)
        for (const answer of given) await handle.answer(question.id, answer)
        if (given.length > 0) return true
        refused.add(question.id)
      }
      const index = unsent.findIndex(({ name }) => waits.some(({ signal, thread }) => signal === name && thread === handle.thread))
      const [signal] = index < 0 ? [] : unsent.splice(index, 1)
      if (!signal) return false
      await handle.signal(signal.name, signal.value, { taint: signal.taint })
      return true
    },
  }
}

function outcomeOf(result: Result<unknown>, { input }: RecordedRun): RunOutcome {
  const { run, status, text, turns, usage, cost } = result
  return {
    run,
    input: input && inputText(input),
    status,
    text,
    output: status === 'done' ? (result.output as Json) : undefined,
    turns,
    tokens: usage.input + usage.output,
    cost,
  }
}
