/**
 * Random lives of contexts: a strategy that makes any segments, trims, summaries and items, with layers, skills, tasks, steering, stops, overflows, hooks,
 * forks and deaths.
 */
import {
  type Agent,
  agent,
  type ContextPlan,
  type ContextRequest,
  type ContextStrategy,
  type Hook,
  memoryJournal,
  skills,
  steer,
  stop,
  todo,
  tool,
} from '@loom-agent/agent'
import { at, type ContextItem, type Frame, items, type Journal, type LoomEvent, readEvents, type Segment } from '@loom-agent/kernel'
import { type Death, mortalJournal, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
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

/** A thread that was lived, and what its model received. */
export interface Lived {
  readonly journal: Journal
  readonly thread: string
  readonly events: readonly LoomEvent[]
  readonly model: ScriptedModel
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
    () => ({ to, as: 'summary', text: `What was said before ${to}.` }),
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
      const summary = { from: 1, to: Math.max(1, frame.seq), summary: `## key_decisions\nSummary ${frame.summaries.length} of turn ${frame.turn}.` }
      return { items: added, rebase: { reason: `rebase ${frame.turn}`, segments }, ...(made && { compressed: summary }) }
    },
  }
}

/** A hook that takes messages out of some requests, and puts others in. */
const changing: Hook = {
  beforeModelCall: ({ turn }, { messages }) => {
    if (turn % 4 === 1) return undefined
    const kept = messages.filter(({ role }, index) => turn % 2 === 0 || role !== 'user' || index % 3 !== 0)
    return { messages: turn % 3 === 0 ? [...kept, { role: 'user', content: [{ type: 'text', text: 'Hurry.' }] }] : kept }
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

function makeModel(life: Life): ScriptedModel {
  let left = [...life.runs]
  return scriptedModel(({ prompt }, number) => {
    const usage = { input: Math.ceil(JSON.stringify(prompt).length / 4), output: 10 }
    if (life.overflowAt.includes(number)) return { throws: Object.assign(new Error('prompt is too long: 250000 tokens'), { statusCode: 400 }) }
    const [turns = 0, ...rest] = left
    left = turns > 0 ? [turns - 1, ...rest] : rest
    if (turns === 0) return { text: `said <r${number}>`, usage, ...(number % 3 === 0 && { reasoning: `thought <t${number}>` }) }
    const calls = Array.from({ length: 1 + (number % 2) }, (_, index) => ({
      tool: index === 0 ? 'look' : 'list',
      input: { n: `<c${number}.${index}>` },
    }))
    const all = [...calls, ...moreCalls(life, number)]
    return { calls: all, usage, ...(number % 4 !== 0 && { text: `calling <r${number}>` }) }
  })
}

const house = skills(['k0', 'k1'].map((name) => ({ name, description: `About ${name}.`, body: `body <b${name}>` })))

const rulesOf = (run: number): string => (run % 2 === 0 ? 'Hurry.' : 'Take your time.')

interface World {
  readonly journal: Journal
  readonly shared: Journal
  readonly model: ScriptedModel
  readonly counts: Counts
  /** A layer of the system text, which may change from run to run. */
  readonly rules: string
}

function makeAgent(life: Life, world: World): Agent {
  const { journal, shared, model, counts } = world
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
    layers: { rules: world.rules },
    journal,
    model,
    hooks,
    tools: [look, list, todo(), house],
    context: life.context ?? anyStrategy(life.seed),
    limits: { loop: false },
  })
}

/** Lives a life: each run in processes that may die, then a fork with a model of its own. */
export async function live(life: Life): Promise<readonly Lived[]> {
  const shared = memoryJournal()
  const model = makeModel(life)
  const counts: Counts = { calls: 0, said: 0 }
  const deaths = [...life.deaths]
  const thread = 't'
  for (const run of life.runs.keys()) {
    let isStarted = false
    for (let processes = 0; processes < 4; processes += 1) {
      const mortal = mortalJournal(shared, deaths.shift())
      const worker = makeAgent(life, { journal: mortal.journal, shared, model, counts, rules: rulesOf(run) })
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
  const lived: Lived[] = [{ journal: shared, thread, model, events: await Array.fromAsync(readEvents(shared, thread)) }]
  const fork = life.forkAt === undefined ? undefined : await liveFork(life, shared, life.forkAt)
  return fork ? [...lived, fork] : lived
}

async function liveFork(life: Life, shared: Journal, share: number): Promise<Lived | undefined> {
  const events = await Array.fromAsync(readEvents(shared, 't'))
  const places = events.filter(({ type }) => type === 'turn.entered' || type === 'context.assembled')
  const cut = places[Math.floor(share * (places.length - 1))]
  if (!cut) return undefined
  const model = makeModel({ ...life, runs: [2, 1], overflowAt: [] })
  const worker = makeAgent(
    { ...life, seed: life.seed + 1, stopAt: undefined },
    { journal: shared, shared, model, counts: { calls: 100, said: 100 }, rules: 'Hurry.' },
  )
  const fork = await worker.fork(`t@${cut.seq}`, { thread: 'f', effects: 'live', limits: { tokens: 1_000_000 } })
  await fork.resume().result()
  await worker.run('asked <qf>', { thread: 'f' })
  return { journal: shared, thread: 'f', model, events: await Array.fromAsync(readEvents(shared, 'f')) }
}

/** Replays a thread that was lived in one run by the code that lived it. */
export function replayLived(life: Life, { journal, thread, model }: Lived): ReturnType<Agent['replay']> {
  const world = { journal, shared: journal, model, counts: { calls: 0, said: 0 }, rules: rulesOf(0) }
  return makeAgent(life, world).replay(thread, { report: { messages: 100, total: 100_000 } })
}

/** The marks in a value: each stands in one entry alone. */
export const marksIn = (value: unknown): readonly string[] => [...new Set(JSON.stringify(value)?.match(/<[a-z][\d.a-z]*>/g) ?? [])]

/** The marks of an entry of the history. */
export function marksOf({ history }: Frame, index: number): readonly string[] {
  const message = at(history, index)?.message
  if (!message || message.role === 'tool') return marksIn(message)
  return marksIn(message.parts.filter(({ type }) => type !== 'reasoning'))
}
