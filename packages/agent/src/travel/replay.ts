/**
 * Replaying a thread under another strategy: what the model would have been sent, turn by turn, without asking it.
 *
 * The recorded facts are folded twice: as they are, and with every assembly of the context made anew. Nothing is appended, no model, tool or hook
 * is called, and the strategy is asked once a turn.
 */
import { type Draft, emptyFrame, evolve, type Frame, type Journal, type Json, type LoomEvent, place, type Run } from '@loom-agent/kernel'
import { type AssemblySource, assemble, createAssembly } from '../context/assemble.ts'
import { createPrompt, type Prompt } from '../context/prompt.ts'
import type { Situation } from '../definition/agent-options.ts'
import type { Definition } from '../definition/definition.ts'
import { agentShape } from '../definition/option-shapes.ts'
import type { Fork, ForkOptions } from '../fork/fork-types.ts'
import type { LanguageModelV4Message } from '../language-model/index.ts'
import { createCancellation } from '../platform/cancellation.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools } from '../tool/toolbox.ts'
import { nameMoment } from '../types/moment.ts'
import { createPromptDifference, type PromptDifference, type Sending, shown } from './prompt-difference.ts'
import type { Divergence, Replayed, ReplayOptions, ReplayReport, Sent, TurnReplay } from './replay-types.ts'
import { recordOf } from './travel.ts'

/** The agent with the changed options, as far as a replay needs it. */
export interface Replayer {
  readonly definition: Definition
  fork(at: string, options: ForkOptions): Promise<Fork<unknown>>
}

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

const replayShape: Shape & Record<keyof ReplayOptions, Expected> = {
  with: expected.options(
    Object.fromEntries((['context', 'instructions', 'tools', 'deps', 'model', 'settings'] as const).map((key) => [key, agentShape[key]])),
  ),
  mode: expected.oneOf('stop-at-divergence', 'continue-recorded', 'continue-live'),
  fork: expected.object,
}

/** Throws for options that are not valid. */
export function checkReplay({ name }: Definition, given: ReplayOptions): void {
  checkOptions(`a replay by ${name}`, given, replayShape)
}

/** Replays a thread; only `continue-live` writes anything, and that into a fork. */
export async function replayThread(
  replayer: Replayer,
  journal: Journal,
  { thread, mode, fork = {} }: ReplayOptions & { thread: string },
): Promise<Replayed<unknown>> {
  const isLive = mode === 'continue-live'
  const report = await compareFolds(replayer.definition, journal, { thread, mode: isLive ? 'stop-at-divergence' : (mode ?? 'continue-recorded') })
  return isLive && report.divergence ? { ...report, fork: await replayer.fork(report.divergence.at, fork) } : report
}

/** What code supplies to an assembly. No model is resolved: none is asked. */
async function sourceOf({ options, toolbox }: Definition, frame: Frame, run: Run): Promise<AssemblySource> {
  const metadata = (run.request.metadata ?? {}) as Situation['metadata']
  const place = { thread: frame.thread, metadata }
  const deps = (typeof options.deps === 'function' ? await (options.deps as (at: object) => unknown)(place) : options.deps) as never
  const situation = { ...place, deps, frame }
  const { instructions = '', tools } = options
  return {
    instructions: typeof instructions === 'function' ? await instructions(situation) : instructions,
    toolbox: toolbox ?? compileTools(typeof tools === 'function' ? ((await tools(situation)) as ToolSet<never>) : tools),
  }
}

/** Folds a record as it is and under another definition, and reports where and how what is sent differs. */
async function compareFolds(
  definition: Definition,
  journal: Journal,
  { thread, mode }: Pick<ReplayReport, 'thread' | 'mode'>,
): Promise<ReplayReport> {
  const recorded: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt() }
  const replayed: ReplayTrack = { frame: emptyFrame(thread), prompt: createPrompt() }
  const { ports, behaviour, context: strategy } = definition
  const assembly = createAssembly()
  const sources = new Map<string, AssemblySource>()
  const turns: TurnReplay[] = []
  const difference = createPromptDifference()
  let divergence: Divergence | undefined
  let before = 0
  for await (const event of recordOf(journal, thread)) {
    recorded.frame = evolve(recorded.frame, event)
    if (!assembled.has(event.type)) {
      replayed.frame = follow(replayed.frame, [event], event.time)
      before = event.seq
      if (event.type === 'model.replied') priceLast(turns, event.data.cost)
      continue
    }
    if (event.type !== 'context.assembled') continue
    const run = replayed.frame.run as Run
    const source = sources.get(run.id) ?? (await sourceOf(definition, replayed.frame, run))
    sources.set(run.id, source)
    const cancellation = createCancellation(ports.clock, behaviour.grace)
    const drafts = await assemble(strategy, { source, assembly, frame: replayed.frame, cancellation })
    replayed.frame = follow(replayed.frame, drafts, event.time)
    const rebases = [event.data.rebase?.reason, reasonOf(drafts)] as const
    const turn = compare(recorded, replayed, { at: nameMoment({ thread, seq: before }), rebases, difference })
    turns.push(turn)
    if (turn.differs) divergence ??= partingOf(recorded, replayed, turn)
    if (divergence && mode === 'stop-at-divergence') break
  }
  return { thread, mode, turns, divergence }
}

const follow = (frame: Frame, drafts: readonly Draft[], time: number): Frame =>
  place({ thread: frame.thread, seq: frame.seq + 1, time, run: frame.run?.id, turn: frame.turn }, drafts).reduce(evolve, frame)

function priceLast(turns: TurnReplay[], cost: number | undefined): void {
  const last = turns.at(-1)
  if (last) turns[turns.length - 1] = { ...last, cost }
}

const reasonOf = (drafts: readonly Draft[]): string | undefined =>
  drafts.map((draft) => (draft.type === 'context.assembled' ? draft.data.rebase?.reason : undefined)).find((reason) => reason !== undefined)

interface Compared {
  readonly at: string
  readonly rebases: readonly [recorded: string | undefined, replayed: string | undefined]
  readonly difference: PromptDifference
}

function compare(recorded: ReplayTrack, replayed: ReplayTrack, { at, rebases, difference }: Compared): TurnReplay {
  recorded.prompt.update(recorded.frame, 'v4')
  replayed.prompt.update(replayed.frame, 'v4')
  const differs = recorded.prompt.digest() !== replayed.prompt.digest() || toolsOf(recorded) !== toolsOf(replayed)
  return {
    turn: recorded.frame.turn,
    at,
    recorded: sent(recorded, rebases[0]),
    replayed: sent(differs ? replayed : recorded, rebases[1]),
    cost: undefined,
    differs,
    ...(differs ? difference.update(sendingOf(recorded), sendingOf(replayed)) : { left: [], added: [] }),
  }
}

const toolsOf = ({ frame }: ReplayTrack): string => (frame.context.tools.length === 0 ? '' : JSON.stringify(frame.context.tools))

/** A token for every four characters. */
const tokensOf = ({ content }: LanguageModelV4Message): number => Math.ceil(JSON.stringify(content).length / 4)

const sent = ({ prompt }: ReplayTrack, rebase: string | undefined): Sent => ({
  messages: prompt.current().length,
  tokens: prompt.weight(tokensOf),
  ...(rebase !== undefined && { rebase }),
})

const sendingOf = ({ prompt, frame }: ReplayTrack): Sending => ({ messages: prompt.current(), rebases: frame.context.rebases })

function partingOf(recorded: ReplayTrack, replayed: ReplayTrack, { turn, at }: TurnReplay): Divergence {
  const was = recorded.prompt.current()
  const would = replayed.prompt.current()
  let message = 0
  while (message < was.length && message < would.length && shown(was[message] as never) === shown(would[message] as never)) message += 1
  const plain = (value: LanguageModelV4Message | undefined): Json | undefined =>
    value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json)
  return { turn, at, message, recorded: plain(was[message]), replayed: plain(would[message]) }
}
