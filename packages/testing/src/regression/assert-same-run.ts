/** Replays a record with an agent: offline, deterministic, and with an error at the first difference that means something. */
import type { AnyAgent, RunHandle, RunOptions, ToolSet } from '@loom-agent/agent'
import { checkOptions, definitionOf, type Expected, expected, loadOnUse } from '@loom-agent/agent/kit'
import { type EventOf, isOver, LoomError } from '@loom-agent/kernel'
import type { AgentRebuilder, RebuiltAgent } from '../double/rebuild-agent.ts'
import { type Fixture, type FixtureSource, type GivenToRun, readFixture } from './fixture.ts'
import { inputOf } from './recorded-input.ts'
import { type Redact, redactSecrets } from './redact.ts'
import { createReplay, fail, type Replay } from './replay.ts'
import { replayRebuilder } from './replay-agent.ts'
import { type ReplayProcess, replayJournal } from './replay-journal.ts'
import { replayModel } from './replay-model.ts'
import { type ReplayControl, scheduleReplay } from './replay-scheduler.ts'
import type { Line } from './script.ts'

/** What every run of a thread was given besides what its agent has. */
export interface GivenRun extends Pick<RunOptions, 'settings' | 'limits'> {
  /** For hooks, rules and durable bodies: no tool uses them. */
  readonly deps?: unknown
  /** Tools that the runs were given. */
  readonly tools?: ToolSet<never>
}

/** What a replay needs that no record has. */
export interface SameRunOptions {
  /** What the runs were given besides what the agent has. */
  readonly given?: GivenRun
  /** The redaction that the fixture was written with, where it was not the default. */
  readonly redact?: Redact
  /** Milliseconds of real time that hooks and other code of the agent may take without any progress; default 1,000. */
  readonly patience?: number
}

const sameRunShape: Readonly<Record<keyof SameRunOptions, Expected>> = {
  given: expected.object,
  redact: expected.function,
  patience: expected.number(0),
}

/**
 * Runs the agent as the fixture recorded it and throws a `RunDivergence` at the first step that is not the same: what the model is sent, what becomes
 * of each call, results, questions, limits, the end. No model, tool, step or network is used; durable bodies, hooks and rules of the agent run.
 *
 * @example
 * test('the refund is the same', () => assertSameRun(agent, new URL('./refund.journal.json', import.meta.url)))
 */
export async function assertSameRun(agent: AnyAgent, source: FixtureSource, options: SameRunOptions = {}): Promise<void> {
  checkOptions('assertSameRun', options, sameRunShape)
  const fixture = readFixture(source)
  checkDeps(fixture, agent, options)
  const replay = createReplay(fixture, options.redact ?? redactSecrets())
  const control = controlOf(replay, agent, options)
  await loadOnUse()
  try {
    await scheduleReplay(replay, control, options.patience ?? 1000)
  } finally {
    replay.ended = true
    replay.clock.clear()
  }
}

/** A run that was given dependencies cannot be run without any. */
function checkDeps({ threads }: Fixture, agent: AnyAgent, { given }: SameRunOptions): void {
  const [root] = threads
  const needs = root?.events.some(({ data }) => 'request' in data && data.request.needsDeps === true)
  if (!needs || given?.deps !== undefined || definitionOf(agent).options.deps !== undefined) return
  const advice = 'Give some that hooks, permissions and durable bodies can use: assertSameRun(agent, fixture, { given: { deps } }).'
  throw new LoomError('LOOM_DEPS_MISSING', `This run was given dependencies, and a fixture has none. ${advice}`)
}

/** A process of the replay. */
interface Playing {
  readonly replay: Replay
  readonly process: ReplayProcess
  readonly agent: RebuiltAgent
  readonly tools: AgentRebuilder['tools']
}

function controlOf(replay: Replay, agent: AnyAgent, options: SameRunOptions): ReplayControl {
  const startProcess = (): Playing => {
    const process: ReplayProcess = { alive: true }
    const journal = replayJournal(replay, process, (line) => control.start(line))
    const rebuilder = replayRebuilder(replay, agent, { journal, deps: options.given?.deps })
    return { replay, process, agent: rebuilder.agent(agent), tools: rebuilder.tools }
  }
  const started = new Set<Line>()
  let playing = startProcess()
  let tried = -1
  const watchRun = (start: () => RunHandle<unknown>): void => {
    const { process } = playing
    replay.progress += 1
    const failing = (error: unknown): void => {
      if (process.alive) fail(replay, error)
    }
    try {
      start().result().catch(failing)
    } catch (error) {
      failing(error)
    }
  }
  const control: ReplayControl = {
    start(line) {
      if (started.has(line)) return
      started.add(line)
      replay.clock.reach(line.event.time)
      watchRun(() => startRun(playing, line, options))
    },
    wake() {
      const { frame } = replay.root
      const seqs = [...replay.threads.values()].reduce((sum, threadReplay) => sum + threadReplay.frame.seq, 0)
      if (tried === seqs || !frame.run) return false
      tried = seqs
      if (isOver(frame.run) && frame.queue.length > 0) void playing.agent.recover().catch((error: unknown) => fail(replay, error))
      else watchRun(() => playing.agent.resume(replay.root.thread, givenTo(playing, options, frame.run?.id ?? '')))
      return true
    },
    replaceProcess() {
      playing.process.alive = false
      for (const [thread, lease] of replay.held) void replay.journal.release(thread, lease)
      replay.held.clear()
      replay.gates.clear()
      replay.asking.length = 0
      replay.clock.clear()
      playing = startProcess()
      tried = -1
    },
  }
  return control
}

/** What a run is given in the replay; its tools do not run either. */
function givenTo({ replay, tools: toolsOf }: Playing, { given = {} }: SameRunOptions, run: string): RunOptions {
  const { tools } = given
  const model = replay.models.get(run)
  return {
    ...(tools !== undefined && { tools: toolsOf(tools) }),
    ...(model !== undefined && { model: replayModel(replay, model) }),
  } as RunOptions
}

/** Starts a run with what it was given. */
function startRun(playing: Playing, line: Line, options: SameRunOptions): RunHandle<unknown> {
  const { fixture, root } = playing.replay
  const { run, request } = (line.event as EventOf<'run.queued'>).data
  const recorded: GivenToRun = fixture.given?.[run] ?? {}
  const settings = { ...recorded.settings, ...options.given?.settings }
  const limits = { ...recorded.limits, ...options.given?.limits }
  return playing.agent.start(inputOf(request.input), {
    ...givenTo(playing, options, run),
    thread: root.thread,
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(request.metadata && { metadata: request.metadata }),
    whenBusy: 'queue',
  })
}
