/**
 * W12: what keeping a conversation within the window of its model comes to, and what it costs.
 *
 * One prompt, 500 tool turns of 4 kB, and a window of 32,000 tokens: ten facts that the prompt asks for lie somewhere in the results.
 */
import {
  type AgentOptions,
  type ContextStrategy,
  compress,
  createAgentFactory,
  everything,
  memoryJournal,
  readEvents,
  tool,
  window,
} from '@loom-agent/agent'
import { encodeBatch, type Journal } from '@loom-agent/kernel'
import { longRun, missingIn } from '../test/support/long-run.ts'
import { cpuNow, cpuOf, type Figure, figure, median } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

const size = 32_000
const agent = createAgentFactory({ describeModel: () => ({ window: size, output: 4096 }) })
const limits = { turns: 1_000_000, loop: false, tokens: Number.MAX_SAFE_INTEGER } as const
const seeds = [1, 2, 3, 4, 5]

/** Measures W12. */
export async function measureContext(quick: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, make] of strategies) figures.push(...(await measureStrategy(name, make)))
  figures.push(await measureTurn(quick))
  figures.push(await measureLongThread(quick ? 2000 : 10_000), await measureOffline(), await measureBytes())
  return figures
}

const strategies: readonly (readonly [name: string, make: () => ContextStrategy])[] = [
  ['compress', () => compress()],
  ['window', () => window({ tokens: Math.floor(size / 3) })],
  ['everything', () => everything],
]

/** What a run of 500 turns came to. */
interface Walked {
  readonly tokens: readonly number[]
  readonly rebases: number
  /** Facts that the last request shows, of ten. */
  readonly shown: number
  /** Facts that it does not show, whose calls it does not name either. */
  readonly lost: number
  /** CPU of the last hundred turns over that of the second hundred. */
  readonly growth: number
}

async function walk(seed: number, context: ContextStrategy): Promise<Walked> {
  const turns = 500
  let request = ''
  const run = longRun({ seed }, (last) => {
    request = last
    return []
  })
  const marks: number[] = []
  const model = {
    ...run.model,
    doStream(options: Parameters<typeof run.model.doStream>[0]) {
      marks.push(cpuNow())
      return run.model.doStream(options)
    },
  }
  const worker = agent({ model, tools: { look: run.look }, context, limits })
  const { status } = await worker.run(run.prompt, { thread: 't' })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
  let rebases = 0
  for await (const { type, data } of readEvents(worker.journal, 't')) if (type === 'context.assembled' && data.rebase) rebases += 1
  const missing = missingIn(request, run.facts)
  const lost = missing.filter(({ call }) => !new RegExp(`\\b${call.replace('.', '\\.')}\\b`).test(request)).length
  const spent = (from: number, to: number): number => (marks[to] ?? Number.NaN) - (marks[from] ?? Number.NaN)
  const growth = spent(turns - 100, turns) / spent(100, 200)
  return { tokens: run.tokens, rebases, shown: run.facts.length - missing.length, lost, growth }
}

async function measureStrategy(name: string, make: () => ContextStrategy): Promise<readonly Figure[]> {
  const walked: Walked[] = []
  for (const seed of seeds) walked.push(await walk(seed, make()))
  const worst = (of: (one: Walked) => number): number => Math.max(...walked.map(of))
  const goals = name === 'compress'
  const detail = `${seeds.length} seeds, the worst of them`
  const overflows = worst(({ tokens }) => tokens.filter((count) => count > size).length)
  return [
    figure('W12', `${name}: the largest request of 500 turns over the window`, {
      value: worst(({ tokens }) => Math.max(...tokens)) / size,
      detail: `${detail}; ${overflows} requests do not fit`,
      ...(goals && { goal: 1 }),
    }),
    figure('W12', `${name}: rebases`, { value: worst(({ rebases }) => rebases), unit: '', detail, ...(goals && { goal: 40 }) }),
    figure('W12', `${name}: facts of ten in the last request`, {
      value: Math.min(...walked.map(({ shown }) => shown)),
      unit: '',
      better: 'higher',
      detail: `${detail}; of the others, ${worst(({ lost }) => lost)} lie in results that the request does not name`,
      ...(goals && { goal: 8 }),
    }),
    figure('W12', `${name}: CPU of turns 401 to 500 over that of turns 101 to 200`, {
      value: median(walked.map(({ growth }) => growth)),
      detail: `median of ${seeds.length} seeds`,
      ...(goals && { goal: 1.5 }),
    }),
  ]
}

/** A turn that compress only looks at, over one of which no strategy is asked. */
async function measureTurn(quick: boolean): Promise<Figure> {
  const turns = 1000
  const look = tool({ name: 'look', effect: 'read', run: () => resultOf(1) })
  const spent = (context: ContextStrategy): Promise<number> => {
    const worker = agent({ instructions: 'Look.', tools: { look }, context, window: 1_000_000_000, limits, behaviour: { readMore: false } })
    return cpuOf(() => worker.run('go', { model: benchModel({ turns }) }))
  }
  const [plain, asked]: [number[], number[]] = [[], []]
  for (let round = 0; round < (quick ? 9 : 25); round += 1) {
    plain.push((await spent(everything)) / turns)
    asked.push((await spent(compress())) / turns)
  }
  return figure('W12', 'a turn under compress that does not cut over one under everything', {
    value: median(asked) / median(plain),
    goal: 1.5,
    detail: `${median(asked).toFixed(1)} and ${median(plain).toFixed(1)} us CPU; both with a model and a tool that take no time`,
  })
}

/** A turn of a long thread over one of a short thread, both compressed. */
async function measureLongThread(messages: number): Promise<Figure> {
  const turns = 200
  const rounds = 7
  const prepare = async (length: number): Promise<() => Promise<number>> => {
    const first = longRun({ seed: 1, turns: Math.ceil(length / 2), length: 1000 })
    const worker = agent({ model: first.model, tools: { look: first.look }, context: compress(), limits })
    await worker.run(first.prompt, { thread: 't' })
    return () => {
      const { prompt, look, model } = longRun({ seed: 2, turns, length: 1000 })
      return cpuOf(() => worker.run(prompt, { thread: 't', model, tools: { look } }))
    }
  }
  const [short, long] = [await prepare(100), await prepare(messages)]
  await short()
  await long()
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await short()
    ratios.push((await long()) / before)
  }
  return figure('W12', `a turn in a thread of ${messages.toLocaleString('en')} messages over one of 100, compressed`, {
    value: median(ratios),
    goal: 1.5,
    detail: `CPU of runs of ${turns} turns on it, with reading the thread's tokens once a run; ${rounds} rounds`,
  })
}

/** Compressing 1,000 messages at once, without a model. */
async function measureOffline(): Promise<Figure> {
  const run = longRun({ seed: 1 })
  const journal = memoryJournal()
  await agent({ model: run.model, tools: { look: run.look }, context: everything, journal, limits }).run(run.prompt, { thread: 't' })
  const worker = agent({ model: longRun({ seed: 1, turns: 0 }).model, tools: { look: run.look }, context: compress(), journal, limits })
  await worker.compact('t')
  const seconds = (await cpuOf(() => worker.preview('And now?', { thread: 't' }))) / 1e6
  return figure('W12', 'compressing 1,000 messages of 2 MB', {
    value: seconds,
    unit: 's CPU',
    goal: 5,
    detail: 'by extraction, with reading the thread',
  })
}

/** Bytes that a turn adds to the journal under a strategy that does not cut, over those without one. */
async function measureBytes(): Promise<Figure> {
  const bytesOf = async (options: Pick<AgentOptions, 'context' | 'window'>): Promise<number> => {
    const base = memoryJournal()
    let bytes = 0
    const journal: Journal = {
      ...base,
      append(thread, batch) {
        // Ids of drivers and times have other digits in every run.
        bytes += encodeBatch({
          ...batch,
          time: 0,
          events: batch.events.filter(({ type }) => type !== 'driver.acquired' && type !== 'run.started'),
        }).length
        return base.append(thread, batch)
      },
    }
    const turns = 100
    const run = longRun({ seed: 1, turns, length: 1000 })
    await agent({ model: run.model, tools: { look: run.look }, journal, limits, behaviour: { readMore: false }, ...options }).run(run.prompt)
    return bytes / turns
  }
  const plain = await bytesOf({ context: everything })
  const kept = await bytesOf({ context: compress(), window: 1_000_000 })
  return figure('W12', 'bytes a turn adds under compress without a rebase over those without a strategy', {
    value: kept / plain,
    goal: 1,
    detail: `${kept.toFixed(0)} and ${plain.toFixed(0)} bytes, with a result of 1,000`,
  })
}
