/** Writes a recorded thread as a test that checks whether an agent still runs it the same way. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AnyAgent } from '@loom-agent/agent'
import { checkOptions, definitionOf, type Expected, expected, type Shape } from '@loom-agent/agent/kit'
import { canonicalJson, type Journal, type Json, type JsonObject, type Limits, LoomError, type LoomEvent } from '@loom-agent/kernel'
import { assertSameRun, type GivenRun } from './assert-same-run.ts'
import { collect } from './collect.ts'
import { firstDifference } from './compared-data.ts'
import { differenceText, RunDivergence } from './divergence.ts'
import { type Fixture, fixtureFormat, fixtureText, type GivenToRun, keptEvents } from './fixture.ts'
import { leftOut } from './left-out.ts'
import { withoutNoise } from './noise.ts'
import { type Redact, redactBytes, redactEvent, redactSecrets } from './redact.ts'
import { renderRequests } from './render-requests.ts'
import { hasSharedParts, partsText, readParts, sharedName } from './shared-file.ts'
import { partsOf, type SharedParts, withReferences } from './shared-parts.ts'
import { sharedTestText, testText } from './test-file.ts'
import { replaceFile } from './write-file.ts'

/** Where a regression is written, and which agent it tests. */
export interface RegressionOptions {
  /** The folder of the files; created when it is missing. */
  readonly folder: string
  /** The files are called `<name>.journal.json` and `<name>.test.ts`. */
  readonly name: string
  /**
   * How the test gets the agent: `import { <export> } from '<module>'`, as seen from the folder. With the agent itself as `value`, what runs were
   * given besides is separated from what is the agent's own, and a thread that cannot be replayed is refused.
   */
  readonly agent: { readonly module: string; readonly export: string; readonly value?: AnyAgent }
  /** Replaces what must not be kept; default: well-known kinds of keys. */
  readonly redact?: Redact
  /** Whether files that exist are replaced; default: that is an error. */
  readonly overwrite?: boolean
  /** What the runs were given besides what the agent has: with the agent as `value`, the fixture is replayed once before it is written. */
  readonly given?: GivenRun
}

/** What was written. */
export interface Regression {
  /** The path of the fixture. */
  readonly journal: string
  /** The path of the test. */
  readonly test: string
  /** The fixture itself. */
  readonly fixture: Fixture
  /** What is not in the fixture; the head of the test says so. */
  readonly leftOut: readonly string[]
}

const required = expected.required(expected.text)
const shape: Shape & Record<keyof RegressionOptions, Expected> = {
  folder: required,
  name: required,
  agent: expected.required(expected.options({ module: required, export: required, value: expected.object })),
  redact: expected.function,
  overwrite: expected.flag,
  given: expected.object,
}

/**
 * Writes a thread, with its children and without its secrets, as a fixture and a test of an agent.
 *
 * @example
 * const agent = { module: '../../src/agent.ts', export: 'support' }
 * await writeRegression(journal, 'user-123', { folder: 'test/regressions', name: 'refund', agent })
 */
export async function writeRegression(journal: Journal, thread: string, options: RegressionOptions): Promise<Regression> {
  checkOptions('writeRegression', { journal }, { journal: expected.required(expected.journal) })
  checkOptions('writeRegression', options, shape)
  const { folder, name, agent, overwrite = false } = options
  checkNames(options)
  const files = { journal: join(folder, `${name}.journal.json`), test: join(folder, `${name}.test.ts`) }
  for (const path of Object.values(files)) if (!overwrite && existsSync(path)) throw inTheWay(path)
  const collected = await collect(journal, thread)
  const { redact, redacted } = counting(options.redact ?? redactSecrets())
  const clean = withoutNoise(
    collected.threads.map((recorded) => ({
      ...recorded,
      thread: redact(recorded.thread),
      events: recorded.events.map((event) => redactEvent(event, redact)),
    })),
  )
  const count = redacted()
  const root = clean[0]?.events ?? []
  const given = agent.value && givenTo(agent.value, root)
  const fixture: Fixture = {
    format: fixtureFormat,
    thread: redact(thread),
    agent: agentOf(root),
    ...(given && Object.keys(given).length > 0 && { given }),
    ...(collected.blobs.size > 0 && {
      blobs: Object.fromEntries([...collected.blobs].map(([hash, bytes]) => [hash, base64Of(redactBytes(bytes, redact))])),
    }),
    threads: clean.map(({ thread: name, events, isPast }) => ({
      thread: name,
      ...(isPast && { isPast }),
      events: keptEvents(events),
      requests: isPast ? [] : renderRequests(name, events),
    })),
  }
  if (agent.value) await checkReplay(fixture, agent.value, options)
  const left = leftOut({ ...collected, thread: redact(thread), threads: clean }, { redacted: count, knowsAgent: agent.value !== undefined })
  mkdirSync(folder, { recursive: true })
  const flag = overwrite ? 'w' : 'wx'
  const parts = agent.value && hasSharedParts(agent.value) ? await shareParts(options, agentOf(root)) : undefined
  writeFileSync(files.journal, fixtureText(parts ? { ...withReferences(fixture, parts), shared: sharedName(agentOf(root)) } : fixture), { flag })
  writeFileSync(files.test, testText({ name, thread: redact(thread), agent, events: root, leftOut: left }), { flag })
  return { ...files, fixture, leftOut: left }
}

/** Replays a fixture with the agent that it is written for: what cannot be replayed is refused now, not by the test later. */
async function checkReplay(fixture: Fixture, agent: AnyAgent, { redact, given }: RegressionOptions): Promise<void> {
  try {
    await assertSameRun(agent, fixture, { accept: false, ...(redact && { redact }), ...(given && { given }) })
  } catch (cause) {
    const { thread } = fixture
    const found = cause instanceof RunDivergence ? differenceText(cause) : cause instanceof Error ? cause.message : String(cause)
    const step = cause instanceof RunDivergence ? { step: cause.step } : {}
    const advice =
      'Say with `given` what its runs were given. Hooks, rules and durable bodies must do the same in the same thread, and the agent must be the one that ran it. Without `agent.value` a thread is written unchecked.'
    const message = `The thread ${thread} cannot be written as a test, because its replay is not the same. ${advice}\n${found}`
    throw new LoomError('LOOM_THREAD_NOT_REPLAYABLE', message, { cause, context: { thread, ...step } })
  }
}

/** Writes the parts that all runs of the agent have in common, once; undefined where a file has other ones: then the fixture keeps its own. */
async function shareParts({ folder, agent, redact = redactSecrets() }: RegressionOptions, name: string): Promise<SharedParts | undefined> {
  if (!agent.value) return undefined
  const parts = await partsOf(agent.value, redact)
  const path = join(folder, sharedName(name))
  if (existsSync(path)) return firstDifference(readParts(pathToFileURL(path)), parts) ? undefined : parts
  replaceFile(path, partsText(parts))
  const test = join(folder, sharedName(name).replace(/\.json$/, '.test.ts'))
  if (!existsSync(test)) replaceFile(test, sharedTestText(sharedName(name), agent))
  return parts
}

function checkNames({ name, agent }: RegressionOptions): void {
  const refuse = (problem: string): never => {
    throw new LoomError('LOOM_OPTION_INVALID', `writeRegression: ${problem}`, { context: { problem } })
  }
  if (!/^[\w][\w.-]*$/.test(name)) refuse(`${JSON.stringify(name)} cannot be the name of a file. Use letters, digits, _, - and dots.`)
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(agent.export)) refuse(`${JSON.stringify(agent.export)} is no name that a module can export.`)
  if (agent.module.trim() === '') refuse('the module of the agent has no name. Give its path as seen from the folder.')
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const inTheWay = (path: string): LoomError =>
  new LoomError('LOOM_OPTION_INVALID', `${path} is there already. Choose another name, or replace it with overwrite: true.`, { context: { path } })

/** A redaction that counts the texts it has changed. */
function counting(redact: Redact): { redact: Redact; redacted: () => number } {
  let redacted = 0
  return {
    redact: (text) => {
      const clean = redact(text)
      if (clean !== text) redacted += 1
      return clean
    },
    redacted: () => redacted,
  }
}

function agentOf(events: readonly LoomEvent[]): string {
  const [first] = events
  return first?.type === 'thread.started' ? first.data.agent : ''
}

/** What each run was given besides what the agent has. Metadata is always the run's. */
function givenTo(agent: AnyAgent, events: readonly LoomEvent[]): { readonly [run: string]: GivenToRun } {
  const { options, limits } = definitionOf(agent)
  const own = { settings: (options.settings ?? {}) as JsonObject, limits: limits as JsonObject }
  const others = (recorded: object = {}, mine: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(recorded as JsonObject).filter(([key, value]) => textOf(value) !== textOf(mine[key])))
  return Object.fromEntries(
    events.flatMap((event) => {
      if (!('request' in event.data)) return []
      const { settings, limits } = event.data.request
      const given = { settings: others(settings, own.settings), limits: others(limits, own.limits) as Limits }
      const fields = Object.entries(given).filter(([, field]) => Object.keys(field).length > 0)
      return fields.length === 0 ? [] : [[event.data.run, Object.fromEntries(fields) as GivenToRun]]
    }),
  )
}

const textOf = (value: Json | undefined): string => (value === undefined ? '' : canonicalJson(JSON.parse(JSON.stringify(value)) as Json))
