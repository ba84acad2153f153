/**
 * Replaying a thread under another strategy: what the model would have been sent, turn by turn, without asking it.
 *
 * The recorded facts are folded twice: as they are, and with every assembly of the context made anew. Nothing is appended, no model, tool or hook
 * is called, and the strategy is asked once a turn.
 */

import { emptyFrame, evolve, type Frame, type Journal, type Json, LoomError, type LoomEvent } from '@loom-agent/kernel'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import { createScales } from '../context/tokens.ts'
import type { Definition } from '../definition/definition.ts'
import { agentShape } from '../definition/option-shapes.ts'
import { tokensOfMessage, tokensOfTools } from '../explain/tokens.ts'
import { forkThread } from '../fork/fork.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { recordOf } from '../look/record-of.ts'
import { wireToolsOf } from '../model/request.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { nameMoment, parseMoment } from '../types/moment.ts'
import { type DriveForkOptions, driveFork, type LiveReplay } from './drive-fork.ts'
import { createPromptDifference, type PromptDifference, type Sending, shown } from './prompt-difference.ts'
import { createRefold, isMadeAnew, type Reassembled } from './refold.ts'
import { createReplayCosts } from './replay-cost.ts'
import { createReport, type FirstDifference, type ReportBuilder, reportShape, type TurnFound } from './replay-report.ts'
import type { Divergence, ErasedReplayed, ReplayOptions, ReplayReport, Sent } from './replay-types.ts'
import { createShownEntries } from './shown-entries.ts'
import { createToolComparison, type ToolsCompared } from './tool-difference.ts'

/** One fold of the record: its frame, and what the model is sent with it. */
interface ReplayTrack {
  frame: Frame
  readonly prompt: Prompt
  /** How often the prompt had been rendered from its start, when that was last asked for. */
  renderings: number
}

/** What the options of a replay must be. */
export const replayShape: Shape & Record<keyof ReplayOptions, Expected> = {
  with: expected.options(
    Object.fromEntries(
      (['context', 'window', 'instructions', 'layers', 'tools', 'deps', 'model', 'settings'] as const).map((key) => [key, agentShape[key]]),
    ),
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

/** What is replayed, until when, and what collects what is found. */
interface Asked extends Pick<ReplayReport, 'thread' | 'mode'> {
  readonly report: ReportBuilder
}

/** Folds a record as it is and under another definition, and reports where and how what is sent differs. */
async function compareFolds(definition: Definition, journal: Journal, { thread, mode, report }: Asked): Promise<ReplayReport> {
  const recorded: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt(), renderings: 0 }
  const replayed: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt(), renderings: 0 }
  const refold = await createRefold(definition, journal, thread)
  const costs = createReplayCosts(definition)
  const entries = createShownEntries()
  const comparison: Comparison = {
    difference: createPromptDifference(),
    tools: createToolComparison(),
    scaleOf: createScales(),
    most: report.mostMessages,
  }
  let divergence: Divergence | undefined
  let before = 0
  /** Events of an assembly that is not complete yet. What has no assembly at all, such as a summary that made nothing shorter, is taken as it is. */
  const made: LoomEvent[] = []
  for await (const event of recordOf(journal, thread)) {
    recorded.frame = evolve(recorded.frame, event)
    if (event.type === 'context.compressed') report.summarized({ recorded: 1 })
    if (!isMadeAnew(event)) {
      for (const one of [...made.splice(0), event]) refold.take(one)
      before = event.seq
      if (event.type === 'model.replied') report.price(event.data.cost, await costs.saved(event.data.usage, modelOf(recorded.frame)))
      continue
    }
    made.push(event)
    if (event.type !== 'context.assembled') continue
    made.length = 0
    recorded.prompt.update(recorded.frame, 'v4')
    const anew = await refold.assemble(event, recorded.prompt.weight(tokensOfMessage) >= replayed.prompt.weight(tokensOfMessage))
    replayed.frame = refold.frame()
    report.summarized({ replayed: anew.summaries.made, estimated: anew.summaries.estimated })
    const place = { at: nameMoment({ thread, seq: before }), rebase: event.data.rebase?.reason, made: anew, comparison }
    const { turn, tools } = compare(recorded, replayed, place)
    const isRebased = { recorded: isRenderedAnew(recorded), replayed: isRenderedAnew(replayed) }
    costs.sent({ recorded: turn.recorded.tokens, replayed: turn.replayed.tokens, differs: turn.differs, isRebased })
    entries.update(recorded.frame, replayed.frame)
    report.add(turn, tools?.differences ?? [])
    if (turn.differs)
      divergence ??= report.divergence({ turn: turn.turn, at: turn.at, ...(turn.tools && { tools: turn.tools }) }, firstOf(recorded, replayed))
    if (divergence && mode === 'stop-at-divergence') break
  }
  return report.report({ thread, mode, divergence, ...entries.found() })
}

const modelOf = ({ run, fork }: Frame): string => fork?.model ?? run?.request.model ?? ''

/** Whether the prompt was rendered from its start since this was asked last. */
function isRenderedAnew(track: ReplayTrack): boolean {
  const renderings = track.prompt.renderings()
  const isAnew = renderings !== track.renderings
  track.renderings = renderings
  return isAnew
}

/** What is kept from turn to turn, so that a turn looks only at what it adds. */
interface Comparison {
  readonly difference: PromptDifference
  readonly tools: ReturnType<typeof createToolComparison>
  readonly scaleOf: ReturnType<typeof createScales>
  /** Messages of a turn that are listed, at most. */
  readonly most: number
}

interface Compared {
  readonly at: string
  /** Why the record was rebased, when it was. */
  readonly rebase: string | undefined
  readonly made: Reassembled
  readonly comparison: Comparison
}

const nothing = { texts: [], count: 0 } as const

function compare(
  recorded: ReplayTrack,
  replayed: ReplayTrack,
  { at, rebase, made, comparison }: Compared,
): { readonly turn: TurnFound; readonly tools: ToolsCompared | undefined } {
  recorded.prompt.update(recorded.frame, 'v4')
  replayed.prompt.update(replayed.frame, 'v4')
  const hasOtherWords = recorded.prompt.digest() !== replayed.prompt.digest()
  const tools = comparison.tools(recorded.frame.context.tools, replayed.frame.context.tools)
  const { total } = comparison.scaleOf(recorded.frame)
  const turn = {
    turn: recorded.frame.turn,
    at,
    recorded: sent(recorded, total, { rebase }),
    replayed: sent(replayed, total, { rebase: made.rebase, isEstimated: made.summaries.estimated > 0 }),
    differs: hasOtherWords || tools !== undefined,
    ...(hasOtherWords ? comparison.difference.update(sendingOf(recorded), sendingOf(replayed), comparison.most) : { left: nothing, added: nothing }),
    ...(tools && { tools: tools.names }),
  }
  return { turn, tools }
}

/** What is sent. Both requests are counted by the scale of the record: they are compared with each other. */
function sent(
  { prompt, frame }: ReplayTrack,
  total: (estimated: number) => number,
  { rebase, isEstimated }: { readonly rebase: string | undefined; readonly isEstimated?: boolean },
): Sent {
  return {
    messages: prompt.current().length,
    tokens: total(prompt.weight(tokensOfMessage) + tokensOfTools(wireToolsOf(frame.context.tools))),
    ...(rebase !== undefined && { rebase }),
    ...(isEstimated && { estimated: true }),
  }
}

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
