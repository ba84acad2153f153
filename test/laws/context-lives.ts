/**
 * Random lives of contexts: a strategy that makes any segments, trims, summaries and items, with layers, skills, tasks, steering, stops, overflows, hooks,
 * forks and deaths.
 */
import {
  type Agent,
  type AgentOptions,
  agent,
  type ContextPlan,
  type ContextRequest,
  type ContextStrategy,
  type Hook,
  type Model,
  memoryJournal,
  skills,
  steer,
  stop,
  todo,
  tool,
} from '@loom-agent/agent'
import { at, type ContextItem, type Frame, items, type Journal, type LoomEvent, readEvents, type Segment } from '@loom-agent/kernel'
import { type Death, mortalJournal, type ScriptedModel, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'

/** What happens in a life. */
export interface Life {
  /** Decides what the strategy does at each context. */
  readonly seed: number
  /** For each run, how many turns call tools. */
  readonly runs: readonly number[]
  /** Calls of the tool, by number, at which somebody steers, or stops the run. */
  readonly steerAt: readonly number[]
  readonly stopAt: number | undefined
  /** Requests, by number, that are too long for the model. */
  readonly overflowAt: readonly number[]
  /** Whether a hook changes requests. */
  readonly hooked: boolean
  readonly deaths: readonly Death[]
  /** Replies, by number, that set the list of tasks, or open a skill. */
  readonly todoAt: readonly number[]
  readonly skillAt: readonly number[]
  /** Runs, by number, whose input is pinned. */
  readonly pinned: readonly number[]
  /** The strategy; undefined: one that decides at random. */
  readonly context?: ContextStrategy
  /** A layer of the system text; undefined: one that changes from run to run. */
  readonly rules?: string
  /** Which event of the thread is forked, as a share of all; undefined: none. */
  readonly forkAt: number | undefined
}

/** Lives of any kind. */
export const lives: fc.Arbitrary<Life> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  runs: fc.array(fc.nat(6), { minLength: 1, maxLength: 4 }),
  steerAt: fc.array(fc.nat(8), { maxLength: 2 }),
  stopAt: fc.option(fc.nat(8), { nil: undefined, freq: 3 }),
  overflowAt: fc.array(fc.integer({ min: 2, max: 10 }), { maxLength: 2 }),
  hooked: fc.boolean(),
  deaths: fc.array(fc.record({ append: fc.integer({ min: 1, max: 12 }), when: fc.constantFrom('before' as const, 'after' as const) }), {
    maxLength: 2,
  }),
  todoAt: fc.array(fc.nat(12), { maxLength: 3 }),
  skillAt: fc.array(fc.nat(12), { maxLength: 3 }),
  pinned: fc.array(fc.nat(2), { maxLength: 1 }),
  forkAt: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
})

/** A thread that was lived, and the model that it had. */
export interface Lived<M extends Model = ScriptedModel> {
  readonly journal: Journal
  readonly thread: string
  readonly events: readonly LoomEvent[]
  readonly model: M
}

/** What lives are lived with, besides what the life says. */
export interface World<M extends Model> {
  /** The model of a life. */
  readonly modelOf: (life: Life) => M | Promise<M>
  /** The strategy of a life; default: `anyStrategy` of its seed. */
  readonly strategyOf?: (life: Life) => ContextStrategy
  readonly settings?: AgentOptions['settings']
}

const scripted: World<ScriptedModel> = {
  modelOf: (life) => {
    const next = repliesOf(life)
    return scriptedModel(({ prompt }, number) => ({ ...next(number), usage: { input: Math.ceil(JSON.stringify(prompt).length / 4), output: 10 } }))
  },
}

/** Numbers that follow from a seed. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0
    return mixed % Math.max(1, below)
  }
}

/** A segment of any kind that ends at an entry. */
function anySegment(to: number, { frame, draw, made }: { frame: Frame; draw: (below: number) => number; made: boolean }): Segment {
  const kinds: readonly (() => Segment)[] = [
    () => ({ to, as: 'kept' }),
    () => ({ to, as: 'kept', trims: [{ rule: 'long', over: 40, head: draw(20), tail: draw(20), ...(draw(2) === 0 && { tools: ['look'] }) }] }),
    () => ({ to, as: 'dropped', rule: `rule ${draw(3)}`, reason: 'There was no room.' }),
    () => ({ to, as: 'dropped', rule: 'old', reason: 'It is old.' }),
    () => ({ to, as: 'summary', text: `What was said before ${to} <w${to}>.` }),
    () => {
      // An earlier summary does not know of entries that came after it.
      const last = at(frame.history, Math.min(to, frame.history.length) - 1)?.seq ?? 0
      const known = [...items(frame.summaries)].flatMap((summary, number) => (summary.to >= last ? [number] : []))
      const summary = made ? frame.summaries.length : known[draw(known.length)]
      return summary === undefined ? { to, as: 'dropped', rule: 'none', reason: 'No summary was made.' } : { to, as: 'summary', summary }
    },
  ]
  return (kinds[draw(kinds.length)] as () => Segment)()
}

const itemsOf = (turn: number, draw: (below: number) => number): readonly ContextItem[] =>
  draw(4) === 0 ? [{ kind: 'reminder', id: `i${turn}`, origin: 'test', text: `item <i${turn}>`, ...(draw(3) === 0 && { pin: true as const }) }] : []

/** A strategy that decides at random, and in the same way for the same frame. */
export function anyStrategy(seed: number): ContextStrategy {
  return {
    name: 'any',
    assemble({ frame, rebase }: ContextRequest): ContextPlan {
      const { length } = frame.history
      const draw = numbersFrom(seed * 31 + frame.turn * 7919 + length * 104_729 + (rebase === 'overflow' ? 1 : 0))
      if (rebase === 'overflow')
        return { rebase: { reason: 'overflow', segments: [{ to: length, as: 'dropped', rule: 'overflow', reason: 'It was too long.' }] } }
      const added = itemsOf(frame.turn, draw)
      if (draw(3) !== 0) return { items: added }
      const made = draw(2) === 0
      const ends = Array.from({ length: draw(5) }, () => draw(length + 3)).sort((one, other) => one - other)
      const segments = ends.map((to) => anySegment(to, { frame, draw, made }))
      const summary = {
        from: 1,
        to: Math.max(1, frame.seq),
        summary: `## key_decisions\nSummary <m${frame.summaries.length}> of turn ${frame.turn}.`,
      }
      return { items: added, rebase: { reason: `rebase ${frame.turn}`, segments }, ...(made && { compressed: summary }) }
    },
  }
}

/** A hook that takes messages out of some requests, and puts others in. */
const changing: Hook = {
  beforeModelCall: ({ turn }, { messages }) => {
    if (turn % 4 === 1) return undefined
    const kept = messages.filter(({ role }, index) => turn % 2 === 0 || role !== 'user' || index % 3 !== 0)
    return { messages: turn % 3 === 0 ? [...kept, { role: 'user', content: [{ type: 'text', text: `Hurry <h${turn}>.` }] }] : kept }
  },
}

/** What is counted over the processes of a life. */
interface Counts {
  calls: number
  said: number
}

/** The calls of a reply besides those that look. */
function moreCalls({ todoAt, skillAt }: Life, number: number): readonly { readonly tool: string; readonly input: object }[] {
  const statuses = ['pending', 'in_progress', 'done'] as const
  const todos = Array.from({ length: number % 3 }, (_, index) => ({ text: `task <d${number}.${index}>`, status: statuses[(number + index) % 3] }))
  return [
    ...(todoAt.includes(number) ? [{ tool: 'todo', input: { todos } }] : []),
    ...(skillAt.includes(number) ? [{ tool: 'open_skill', input: { name: `k${number % 2}` } }] : []),
  ]
}

/** What the model of a life replies to its requests, by their numbers. */
export function repliesOf(life: Life): (number: number) => ScriptedReply {
  let left = [...life.runs]
  return (number) => {
    if (life.overflowAt.includes(number)) return { throws: Object.assign(new Error('prompt is too long: 250000 tokens'), { statusCode: 400 }) }
    const [turns = 0, ...rest] = left
    left = turns > 0 ? [turns - 1, ...rest] : rest
    if (turns === 0) return { text: `said <r${number}>`, ...(number % 3 === 0 && { reasoning: `thought <t${number}>` }) }
    const calls = Array.from({ length: 1 + (number % 2) }, (_, index) => ({
      tool: index === 0 ? 'look' : 'list',
      input: { n: `<c${number}.${index}>` },
    }))
    const all = [...calls, ...moreCalls(life, number)]
    return number % 4 === 0 ? { calls: all } : { text: `calling <r${number}>`, calls: all }
  }
}

const house = skills(['k0', 'k1'].map((name) => ({ name, description: `About ${name}.`, body: `body <b${name}>` })))

const rulesOf = ({ rules }: Life, run: number): string => rules ?? (run % 2 === 0 ? 'Hurry.' : 'Take your time.')

/** What one process of a life has. */
interface Process extends Omit<World<Model>, 'modelOf'> {
  readonly journal: Journal
  readonly shared: Journal
  readonly model: Model
  readonly counts: Counts
  /** A layer of the system text, which may change from run to run. */
  readonly rules: string
}

function makeAgent(life: Life, { journal, shared, model, counts, rules, strategyOf, settings }: Process): Agent {
  const look = tool({
    name: 'look',
    effect: 'read',
    run: async ({ n }: { n?: string }, ctx) => {
      const call = counts.calls++
      if (life.steerAt.includes(call)) await steer(shared, ctx.thread, `steered <s${counts.said++}>`)
      if (life.stopAt === call) await stop(shared, ctx.thread)
      return `seen ${n} ${'x'.repeat(10 + ((call * 13) % 90))} end of ${n}`
    },
  })
  const list = tool({ name: 'list', effect: 'read', run: ({ n }: { n?: string }) => ({ listed: n, of: [1, 2, 3] }) })
  const hooks = life.hooked ? [changing] : []
  return agent({
    name: 'lived',
    instructions: 'Be exact.',
    layers: { rules },
    journal,
    model,
    hooks,
    tools: [look, list, todo(), house],
    context: strategyOf?.(life) ?? life.context ?? anyStrategy(life.seed),
    limits: { loop: false },
    ...(settings && { settings }),
  })
}

/** Lives a life: each run in processes that may die, then a fork with a model of its own. */
export function live(life: Life): Promise<readonly Lived[]>
export function live<M extends Model>(life: Life, world: World<M>): Promise<readonly Lived<M>[]>
export async function live(life: Life, world: World<Model> = scripted): Promise<readonly Lived<Model>[]> {
  const shared = memoryJournal()
  const model = await world.modelOf(life)
  const counts: Counts = { calls: 0, said: 0 }
  const deaths = [...life.deaths]
  const thread = 't'
  for (const run of life.runs.keys()) {
    let isStarted = false
    for (let processes = 0; processes < 4; processes += 1) {
      const mortal = mortalJournal(shared, deaths.shift())
      const worker = makeAgent(life, { ...world, journal: mortal.journal, shared, model, counts, rules: rulesOf(life, run) })
      const known = (await shared.head(thread)) !== undefined
      const result =
        isStarted && known
          ? worker.resume(thread).result()
          : worker.run(`asked <q${run}>`, { thread, id: `run ${run}`, pin: life.pinned.includes(run) })
      isStarted = true
      await Promise.race([result, mortal.died])
      if (!mortal.isDead()) break
    }
  }
  const lived: Lived<Model>[] = [{ journal: shared, thread, model, events: await Array.fromAsync(readEvents(shared, thread)) }]
  const fork = life.forkAt === undefined ? undefined : await liveFork(life, shared, world)
  return fork ? [...lived, fork] : lived
}

async function liveFork(life: Life, shared: Journal, world: World<Model>): Promise<Lived<Model> | undefined> {
  const events = await Array.fromAsync(readEvents(shared, 't'))
  const places = events.filter(({ type }) => type === 'turn.entered' || type === 'context.assembled')
  const cut = places[Math.floor((life.forkAt ?? 0) * (places.length - 1))]
  if (!cut) return undefined
  const model = await world.modelOf({ ...life, runs: [2, 1], overflowAt: [] })
  const forked = { ...life, seed: life.seed + 1, stopAt: undefined }
  const worker = makeAgent(forked, { ...world, journal: shared, shared, model, counts: { calls: 100, said: 100 }, rules: 'Hurry.' })
  const fork = await worker.fork(`t@${cut.seq}`, { thread: 'f', effects: 'live', limits: { tokens: 1_000_000 } })
  await fork.resume().result()
  await worker.run('asked <qf>', { thread: 'f' })
  return { journal: shared, thread: 'f', model, events: await Array.fromAsync(readEvents(shared, 'f')) }
}

/** The agent of a life, to replay what was lived. */
export function replayerOf(life: Life, { journal, model }: { readonly journal: Journal; readonly model: Model }): Agent {
  return makeAgent(life, { journal, shared: journal, model, counts: { calls: 0, said: 0 }, rules: rulesOf(life, 0) })
}

/** Replays a thread that was lived in one run by the code that lived it. */
export function replayLived(life: Life, lived: Lived): ReturnType<Agent['replay']> {
  return replayerOf(life, lived).replay(lived.thread, { report: { messages: 100, total: 100_000 } })
}

/** The marks in a value: each stands in one entry alone. */
export const marksIn = (value: unknown): readonly string[] => [...new Set(JSON.stringify(value)?.match(/<[a-z][\d.a-z]*>/g) ?? [])]

/** The marks of an entry of the history. */
export function marksOf({ history }: Frame, index: number): readonly string[] {
  const message = at(history, index)?.message
  if (!message || message.role === 'tool') return marksIn(message)
  return marksIn(message.parts.filter(({ type }) => type !== 'reasoning'))
}
