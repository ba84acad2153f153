/** Replays a record with an agent: offline, deterministic, and with an error at the first difference that means something. */
import { fileURLToPath } from 'node:url'
import type { AnyAgent, RunOptions, ToolSet } from '@loom-agent/agent'
import { checkOptions, definitionOf, type Expected, expected, instanceOf, loadOnUse, type RunOverrides } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { acceptedFixture, changesText, isAccepting } from './accept.ts'
import { firstDifference, plain } from './compared-data.ts'
import { notAcceptable, RunDivergence } from './divergence.ts'
import { type Fixture, type FixtureSource, fixtureText, type GivenToRun, readFixture } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import { type Redact, redactSecrets } from './redact.ts'
import { type AcceptedChange, changeOf, createReplay, type RecordedThread, type Replay } from './replay.ts'
import { replayRebuilder } from './replay-agent.ts'
import { replayModel } from './replay-model.ts'
import { replayThread } from './replay-thread.ts'
import { isStart } from './script.ts'
import { readParts } from './shared-file.ts'
import { partsOf, withParts, withReferences } from './shared-parts.ts'
import { replaceFile } from './write-file.ts'

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
  /** Tools whose bodies run, with the recorded arguments, and whose results are compared: `true` for all but durable ones. Default: none. */
  readonly execute?: boolean | readonly string[]
  /**
   * Whether the fixture is replaced where the agent does something else than recorded, with the recorded replies of the model; the changes are written to
   * the console. Default: what the environment variable LOOM_ACCEPT says. Never where CI is set.
   */
  readonly accept?: boolean
  /** Milliseconds of real time that hooks and other code of the agent may take without any progress; default 1,000. */
  readonly patience?: number
}

const sameRunShape: Readonly<Record<keyof SameRunOptions, Expected>> = {
  given: expected.object,
  redact: expected.function,
  execute: { words: 'true, false or names of tools', fits: (value) => typeof value === 'boolean' || Array.isArray(value) },
  accept: expected.flag,
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
  const { redact = redactSecrets(), execute = false } = options
  const isAccepted = isAccepting(options.accept, source)
  const read = readFixture(source)
  // Without the file, what its runs share would be compared by no test.
  if (read.shared !== undefined && source instanceof URL) readParts(new URL(read.shared, source))
  checkDeps(read, agent, options)
  await loadOnUse()
  const parts = read.shared === undefined ? undefined : await partsOf(agent, redact)
  const fixture = parts ? withParts(read, parts) : read
  const executes = (tool: string): boolean => (typeof execute === 'boolean' ? execute : execute.includes(tool))
  const replay = createReplay(fixture, { redact, executes, accepted: isAccepted ? [] : undefined })
  checkExecute(replay, agent, options)
  await replayAll(replay, agent, options).catch((error: unknown) => {
    throw isAccepted && error instanceof RunDivergence ? notAcceptable(error) : error
  })
  if (!isAccepted) return
  const now = acceptedFixture(replay)
  const changes = [...(replay.accepted ?? []), ...changedRequests(fixture, now)]
  if (changes.length === 0) return
  replaceFile(fileURLToPath(source), fixtureText(parts ? withReferences(now, parts) : now))
  console.warn(changesText(source, changes))
}

/** Requests that differ though no event does: Loom renders them differently. */
function changedRequests(before: Fixture, now: Fixture): readonly AcceptedChange[] {
  return before.threads.flatMap(({ requests }, index) => {
    const found = firstDifference(plain(requests), plain(now.threads[index]?.requests ?? []))
    return found ? [changeOf(`requests.${found.path}`, found)] : []
  })
}

/** A run that was given dependencies cannot be run without any. */
function checkDeps({ threads }: Fixture, agent: AnyAgent, { given }: SameRunOptions): void {
  const [root] = threads
  const needs = root?.events.some(({ data }) => 'request' in data && data.request.needsDeps === true)
  if (!needs || given?.deps !== undefined || definitionOf(agent).options.deps !== undefined) return
  const advice = 'Give some that hooks, permissions and durable bodies can use: assertSameRun(agent, fixture, { given: { deps } }).'
  throw new LoomError('LOOM_DEPS_MISSING', `This run was given dependencies, and a fixture has none. ${advice}`)
}

/** A body that is to run must be one that the recorded threads know, or the agent has. */
function checkExecute({ threads }: Replay, agent: AnyAgent, { execute, given }: SameRunOptions): void {
  if (!Array.isArray(execute)) return
  const offered = [...threads.values()].flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'context.assembled' ? (event.data.rebase?.tools ?? []).map(({ name }) => name) : [])),
  )
  const own = [definitionOf(agent).options.tools, given?.tools].flatMap((tools) => (typeof tools === 'function' || !tools ? [] : toolNames(tools)))
  const known = [...new Set([...offered, ...own])].sort()
  const unknown = (execute as readonly unknown[]).find((name) => !known.includes(name as string))
  if (unknown === undefined) return
  const advice = known.length === 0 ? 'The run has no tools.' : `Tools of this run: ${known.join(', ')}.`
  const message = `assertSameRun: execute names ${JSON.stringify(unknown)}, which is no tool of this run. ${advice}`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { option: 'execute', known } })
}

const toolNames = (tools: ToolSet<never>): readonly string[] =>
  Array.isArray(tools) ? (tools as readonly { readonly name: string }[]).map(({ name }) => name) : Object.keys(tools)

/** Replays the root, then each child that its parent has run. */
async function replayAll(replay: Replay, agent: AnyAgent, options: SameRunOptions): Promise<void> {
  const { given = {}, patience = 1000 } = options
  const rebuilder = replayRebuilder(replay, agent, given.deps)
  const root = instanceOf(rebuilder.agent(agent))
  for (const recorded of replay.threads.values()) {
    const { thread } = recorded
    if (thread === replay.fixture.thread) {
      const overrides = overridesOf(replay, recorded, given.tools && rebuilder.tools(given.tools, agent))
      await replayThread(replay, recorded, { instance: root, startOf: (run) => startOf(replay, given, run), overrides, patience })
      continue
    }
    const start = await replay.starts.get(thread)
    if (!start) continue
    const { instance, request } = start
    await replayThread(replay, recorded, { instance, startOf: () => request, overrides: new Map(), patience })
  }
}

/** What code supplies to the runs of the root: tools that they were given, and the models that they had. */
function overridesOf(replay: Replay, { events }: RecordedThread, tools: ToolSet<never> | undefined): ReadonlyMap<string, RunOverrides> {
  const overrides = [...modelsIn(events)].map(([run, model]) => {
    return [run, { model: replayModel(replay, model), ...(tools && { tools }) } as RunOverrides] as const
  })
  return new Map(overrides)
}

/** What a run of the root is started with. */
function startOf({ fixture, threads }: Replay, given: GivenRun, run: string): { readonly options: RunOptions<never> } {
  const recorded: GivenToRun = fixture.given?.[run] ?? {}
  const settings = { ...recorded.settings, ...given.settings }
  const limits = { ...recorded.limits, ...given.limits }
  const started = threads.get(fixture.thread)?.events.find((event) => isStart(event) && event.data.run === run)
  const metadata = started && 'request' in started.data ? started.data.request.metadata : undefined
  return {
    options: {
      ...(Object.keys(settings).length > 0 && { settings }),
      ...(Object.keys(limits).length > 0 && { limits }),
      ...(metadata && { metadata }),
      whenBusy: 'queue',
    } as RunOptions<never>,
  }
}
