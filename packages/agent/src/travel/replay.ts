/**
 * Replaying a thread under another strategy: what the model would have been sent, turn by turn, without asking it.
 *
 * The recorded facts are folded twice: as they are, and with every assembly of the context made anew. Nothing is appended, no model, tool or hook
 * is called, and the strategy is asked once a turn.
 */

import {
  type Draft,
  emptyFrame,
  evolve,
  type Frame,
  isLoomError,
  type Journal,
  type Json,
  LoomError,
  type LoomEvent,
  nextPlace,
  place,
  type Run,
} from '@loom-agent/kernel'
import { assemble } from '../context/assemble.ts'
import { type AssemblySource, createAssembly } from '../context/assembly.ts'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import type { Situation } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { agentShape } from '../definition/option-shapes.ts'
import { forkThread } from '../fork/fork.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { recordOf } from '../look/record-of.ts'
import { tokensOf } from '../model/estimate.ts'
import { callUser } from '../platform/call-user.ts'
import { createCancellation } from '../platform/cancellation.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { messageOf, toSentence } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools } from '../tool/toolbox.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'
import { type DriveForkOptions, driveFork, type LiveReplay } from './drive-fork.ts'
import { createPromptDifference, type PromptDifference, type Sending, shown } from './prompt-difference.ts'
import { specsAs } from './recorded-specs.ts'
import { createReport, type FirstDifference, type ReportBuilder, reportShape, type TurnFound } from './replay-report.ts'
import type { Divergence, ErasedReplayed, ReplayOptions, ReplayReport, Sent } from './replay-types.ts'
import { createToolComparison, type ToolsCompared } from './tool-difference.ts'

/** One fold of the record: its frame, and what the model is sent with it. */
interface ReplayTrack {
  frame: Frame
  readonly prompt: Prompt
}

/** Events that an assembly makes: they are made anew. */
const assembled: ReadonlySet<LoomEvent['type']> = new Set([
  'context.assembled',
  'context.compressed',
  'context.compression-failed',
  'retrieval.finished',
])

/** What the options of a replay must be. */
export const replayShape: Shape & Record<keyof ReplayOptions, Expected> = {
  with: expected.options(
    Object.fromEntries((['context', 'window', 'instructions', 'tools', 'deps', 'model', 'settings'] as const).map((key) => [key, agentShape[key]])),
  ),
  mode: expected.oneOf('stop-at-divergence', 'continue-recorded', 'continue-live'),
  fork: expected.object,
  report: expected.options(reportShape),
}

/** Throws for options that are not valid. */
export function checkReplay({ name }: Definition, given: ReplayOptions<never>): void {
  checkOptions(`a replay by ${name}`, given, replayShape)
  requireLive(name, given, ['fork'])
}

/** Throws for options that count only where a fork goes on live. */
export function requireLive<Key extends string>(name: string, given: { readonly [K in Key | 'mode']?: unknown }, keys: readonly Key[]): void {
  const key = given.mode === 'continue-live' ? undefined : keys.find((one) => given[one] !== undefined)
  if (key === undefined) return
  throw new LoomError(
    'LOOM_OPTION_INVALID',
    `a replay by ${name} has ${key}, which needs mode: 'continue-live'. Give the mode, or leave ${key} out.`,
    {
      context: { what: `a replay by ${name}`, key },
    },
  )
}

/** Replays a thread; only `continue-live` writes anything, and that into a fork. */
export async function replayThread(instance: AgentInstance, thread: string, options: ReplayOptions<never>): Promise<ErasedReplayed> {
  const { mode, fork: asked = {}, report: limits } = options
  const { definition, runtime } = instance
  const isLive = mode === 'continue-live'
  const end = isLive ? 'stop-at-divergence' : (mode ?? 'continue-recorded')
  const report = await compareFolds(definition, runtime.journal, { thread, mode: end, report: createReport(limits) })
  if (!isLive || !report.divergence) return report
  const { at } = report.divergence
  const fork = await forkThread(instance, at, asked)
  const toDrive = { fork, cut: parseMoment(at), effects: asked.effects ?? ('ask' as const), limits: asked.limits }
  let driving: Promise<LiveReplay> | undefined
  const drive = ({ onQuestion }: DriveForkOptions = {}): Promise<LiveReplay> => {
    // The inputs are given once, however often this is called.
    driving ??= driveFork(instance, { ...toDrive, onQuestion })
    return driving
  }
  return { ...report, fork, driveFork: drive }
}

/** What code supplies to an assembly. No model is resolved: none is asked. */
async function sourceOf(
  definition: Definition,
  { tools: listed }: Frame['context'],
  { frame, run }: { frame: Frame; run: Run },
): Promise<AssemblySource> {
  const { options, toolbox } = definition
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const place = { thread: frame.thread, metadata }
  const { deps: given } = options
  const deps: unknown = typeof given === 'function' ? await callUser(() => (given as (at: object) => unknown)(place)) : given
  const situation = {
    ...place,
    frame,
    // Most instructions do without: only those that look at dependencies miss them.
    get deps() {
      if (deps === undefined && run.request.needsDeps) throw depsMissing(frame, run)
      return deps as never
    },
  }
  const { instructions = '', tools } = options
  try {
    const system = typeof instructions === 'function' ? await callUser(() => instructions(situation)) : instructions
    const box = toolbox ?? compileTools(typeof tools === 'function' ? ((await callUser(() => tools(situation))) as ToolSet<never>) : tools)
    return {
      get deps() {
        return situation.deps
      },
      instructions: system,
      toolbox: { specs: specsAs(box, listed) },
    }
  } catch (error) {
    // The record of a child does not say whether its parent gave it dependencies.
    throw frame.parent && deps === undefined && !isLoomError(error) ? depsMissing(frame, run, error) : error
  }
}

function depsMissing({ thread, parent }: Frame, { id }: Run, cause?: unknown): LoomError {
  const failed = `The instructions or the tools of the agent threw: ${toSentence(messageOf(cause))} ${thread} is a child of ${parent?.thread}, whose deps it may need.`
  const looked = `The instructions or the tools of the agent look at deps. The run ${id} was started with dependencies, and there are none now.`
  const message = `${parent ? failed : looked} Give them: with: { deps }.`
  return new LoomError('LOOM_DEPS_MISSING', message, { cause, context: { thread, run: id } })
}

/** What is replayed, until when, and what collects what is found. */
interface Asked extends Pick<ReplayReport, 'thread' | 'mode'> {
  readonly report: ReportBuilder
}

/** Folds a record as it is and under another definition, and reports where and how what is sent differs. */
async function compareFolds(definition: Definition, journal: Journal, { thread, mode, report }: Asked): Promise<ReplayReport> {
  const recorded: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt() }
  const replayed: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt() }
  const { ports, behaviour, context: strategy } = definition
  const assembly = createAssembly()
  const comparison: Comparison = { difference: createPromptDifference(), tools: createToolComparison(), most: report.mostMessages }
  let source: { readonly run: string; readonly supplied: AssemblySource } | undefined
  let divergence: Divergence | undefined
  let before = 0
  for await (const event of recordOf(journal, thread)) {
    recorded.frame = evolve(recorded.frame, event)
    if (!assembled.has(event.type)) {
      replayed.frame = follow(replayed.frame, [event], event.time)
      before = event.seq
      if (event.type === 'model.replied') report.price(event.data.cost)
      continue
    }
    if (event.type !== 'context.assembled') continue
    const run = replayed.frame.run as Run
    if (source?.run !== run.id) source = { run: run.id, supplied: await sourceOf(definition, recorded.frame.context, { frame: replayed.frame, run }) }
    const cancellation = createCancellation(ports.clock, behaviour.grace)
    const drafts = await assemble(strategy, { source: source.supplied, assembly, frame: replayed.frame, cancellation, knowledge: definition })
    replayed.frame = follow(replayed.frame, drafts, event.time)
    const rebases = [event.data.rebase?.reason, reasonOf(drafts)] as const
    const { turn, tools } = compare(recorded, replayed, { at: nameMoment({ thread, seq: before }), rebases, comparison })
    report.add(turn, tools?.differences ?? [])
    if (turn.differs)
      divergence ??= report.divergence({ turn: turn.turn, at: turn.at, ...(turn.tools && { tools: turn.tools }) }, firstOf(recorded, replayed))
    if (divergence && mode === 'stop-at-divergence') break
  }
  return report.report({ thread, mode, divergence })
}

const follow = (frame: Frame, drafts: readonly Draft[], time: number): Frame => place(nextPlace(frame, time), drafts).reduce(evolve, frame)

const reasonOf = (drafts: readonly Draft[]): string | undefined =>
  drafts.map((draft) => (draft.type === 'context.assembled' ? draft.data.rebase?.reason : undefined)).find((reason) => reason !== undefined)

/** What is kept from turn to turn, so that a turn looks only at what it adds. */
interface Comparison {
  readonly difference: PromptDifference
  readonly tools: ReturnType<typeof createToolComparison>
  /** Messages of a turn that are listed, at most. */
  readonly most: number
}

interface Compared {
  readonly at: string
  readonly rebases: readonly [recorded: string | undefined, replayed: string | undefined]
  readonly comparison: Comparison
}

const nothing = { texts: [], count: 0 } as const

function compare(
  recorded: ReplayTrack,
  replayed: ReplayTrack,
  { at, rebases, comparison }: Compared,
): { readonly turn: TurnFound; readonly tools: ToolsCompared | undefined } {
  recorded.prompt.update(recorded.frame, 'v4')
  replayed.prompt.update(replayed.frame, 'v4')
  const hasOtherWords = recorded.prompt.digest() !== replayed.prompt.digest()
  const tools = comparison.tools(recorded.frame.context.tools, replayed.frame.context.tools)
  const turn = {
    turn: recorded.frame.turn,
    at,
    recorded: sent(recorded, rebases[0]),
    replayed: sent(hasOtherWords ? replayed : recorded, rebases[1]),
    differs: hasOtherWords || tools !== undefined,
    ...(hasOtherWords ? comparison.difference.update(sendingOf(recorded), sendingOf(replayed), comparison.most) : { left: nothing, added: nothing }),
    ...(tools && { tools: tools.names }),
  }
  return { turn, tools }
}

const sent = ({ prompt }: ReplayTrack, rebase: string | undefined): Sent => ({
  messages: prompt.current().length,
  tokens: prompt.weight(tokensOf),
  ...(rebase !== undefined && { rebase }),
})

const sendingOf = ({ prompt }: ReplayTrack): Sending => ({ messages: prompt.current(), renderings: prompt.renderings() })

/** The first message that differs; undefined where none does. */
function firstOf(recorded: ReplayTrack, replayed: ReplayTrack): FirstDifference | undefined {
  const was = recorded.prompt.current()
  const would = replayed.prompt.current()
  let message = 0
  const textAt = (messages: typeof was): string | undefined => {
    const found = messages[message]
    return found && shown(found)
  }
  while (message < Math.max(was.length, would.length) && textAt(was) === textAt(would)) message += 1
  if (message === was.length && message === would.length) return undefined
  const plain = (value: LanguageModelV4Message | undefined): FirstDifference['recorded'] =>
    value && { value: JSON.parse(JSON.stringify(value)) as Json, text: shown(value) }
  return { message, recorded: plain(was[message]), replayed: plain(would[message]) }
}
