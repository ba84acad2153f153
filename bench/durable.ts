/** W3, W4 and many durable runs at once: the SQLite journal, flushed before each effect, against a bare loop with two commits a turn. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { agent, tool } from '@loom-agent/agent'
import { type SqliteJournal, sqlite } from '@loom-agent/journals/sqlite'
import { z } from 'zod'
import { handLoop } from './floor.ts'
import { type Figure, figure, median, timesOf, wallOf } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

/** Bytes of information that a turn adds: 130 of arguments, and the result. */
const small = { bytes: 480, result: 350 }
const big = { bytes: 2100, result: 1970 }

type Payload = typeof small

/** As many different results as it takes, so that a bigger one compresses no better. */
const outcomeOf = (turn: number, { result }: Payload): string =>
  [0, 101, 202, 303, 404, 505]
    .map((step) => resultOf(turn + step))
    .join('')
    .slice(0, result)

const workerOn = (journal: SqliteJournal, turns: number, payload: Payload) =>
  agent({
    name: 'bench',
    instructions: 'Look.',
    tools: { look: tool({ name: 'look', input: z.object({ q: z.string(), turn: z.number() }), run: ({ turn }) => outcomeOf(turn, payload) }) },
    permissions: { look: 'allow' },
    limits: { turns: turns + 1 },
    journal,
  })

async function loomRun(journal: SqliteJournal, turns: number, thread: string, payload: Payload = small): Promise<void> {
  const { status } = await workerOn(journal, turns, payload).run('go', { thread, model: benchModel({ turns }) })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
}

/** The floor: a hand loop that keeps each message, with the same model, PRAGMAs and payload; one commit for the reply, one for the result. */
function openBare(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  db.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma synchronous = full; create table messages (seq integer primary key, body text)')
  return db
}

async function bareRun(db: DatabaseSync, turns: number): Promise<void> {
  const insert = db.prepare('insert into messages (body) values (?)')
  await handLoop(
    benchModel({ turns }),
    ({ turn }) => outcomeOf(turn, small),
    (message) => insert.run(JSON.stringify(message)),
  )
}

/** Measures everything durable. */
export async function measureDurable(quick: boolean): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-bench-'))
  try {
    return [
      ...(await measureTurn(folder, quick ? 5 : 15)),
      ...(await measureBytes(folder)),
      ...(await measureMany(folder, quick ? 3 : 7)),
      ...(await measureResume(folder, quick ? 3 : 7)),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a turn costs on both sides, in microseconds. */
interface Sides {
  readonly walls: { readonly bare: number[]; readonly loom: number[] }
  readonly cpus: { readonly bare: number[]; readonly loom: number[] }
}

/** One turn against two commits: in a process that has just opened its journal, and when both logs have their final length and are overwritten. */
async function measureTurn(folder: string, repetitions: number): Promise<readonly Figure[]> {
  const turns = 200
  const [young, old]: readonly [Sides, Sides] = [sidesOf(), sidesOf()]
  const aged = { db: openBare(join(folder, 'bare-old.db')), journal: sqlite(join(folder, 'loom-old.db')) }
  const warmUps = 8
  for (let n = 0; n < repetitions + warmUps; n += 1) {
    const fresh = { db: openBare(join(folder, `bare-${n}.db`)), journal: sqlite(join(folder, `loom-${n}.db`)) }
    for (const [{ db, journal }, sides] of [[fresh, young] as const, [aged, old] as const]) {
      for (const [name, run] of [['bare', () => bareRun(db, turns)] as const, ['loom', () => loomRun(journal, turns, `t${n}`)] as const]) {
        const { wall, cpu } = await timesOf(run)
        if (n < warmUps) continue
        sides.walls[name].push((wall / turns) * 1000)
        sides.cpus[name].push(cpu / turns)
      }
    }
    fresh.db.close()
    await fresh.journal.close()
  }
  aged.db.close()
  await aged.journal.close()
  const detailOf = ({ walls, cpus }: Sides): string =>
    `${turns} turns, WAL, synchronous FULL, 480 B a turn; hand loop ${median(walls.bare).toFixed(0)} us wall and ${median(cpus.bare).toFixed(0)} us CPU, Loom ${median(walls.loom).toFixed(0)} and ${median(cpus.loom).toFixed(0)}; ${repetitions} interleaved`
  const ratio = ({ bare, loom }: Sides['walls']): number => median(loom) / median(bare)
  return [
    figure('W3', 'strict SQLite turn over a hand loop with two commits, wall', { value: ratio(young.walls), goal: 1.5, detail: detailOf(young) }),
    figure('W3', 'strict SQLite turn over a hand loop with two commits, CPU', { value: ratio(young.cpus), detail: detailOf(young) }),
    figure('W3', 'strict SQLite turn over a hand loop with two commits, both on a log that has stopped growing, wall', {
      value: ratio(old.walls),
      detail: detailOf(old),
    }),
  ]
}

const sidesOf = (): Sides => ({ walls: { bare: [], loom: [] }, cpus: { bare: [], loom: [] } })

async function measureBytes(folder: string): Promise<readonly Figure[]> {
  const stored = async (turns: number, payload: Payload): Promise<number> => {
    const file = join(folder, `bytes-${turns}-${payload.bytes}.db`)
    const journal = sqlite(file)
    await loomRun(journal, turns, 't', payload)
    await journal.close()
    return statSync(file).size
  }
  const [hundred, thousand, large] = [await stored(100, small), await stored(1000, small), await stored(500, big)]
  const detail = 'the file after close, indexes included'
  return [
    figure('W3', 'bytes stored over information, 1,000 turns of 480 B', { value: thousand / (1000 * small.bytes), goal: 3, detail }),
    figure('W3', 'bytes stored over information, 500 turns of 2.1 kB', { value: large / (500 * big.bytes), goal: 2, detail }),
    figure('W3', 'bytes of 1,000 turns over those of 100', { value: thousand / hundred, goal: 10.5, detail: 'linear is at most 10' }),
  ]
}

async function measureMany(folder: string, repetitions: number): Promise<readonly Figure[]> {
  const turns = 5
  const rates = { one: [] as number[], many: [] as number[] }
  const commits: number[] = []
  for (let n = 0; n < repetitions; n += 1) {
    for (const [name, runs] of [
      ['one', 1],
      ['many', 200],
    ] as const) {
      const journal = sqlite(join(folder, `${name}-${n}.db`))
      const worker = workerOn(journal, turns, small)
      const rounds = runs === 1 ? 20 : 1
      const ms = await wallOf(async () => {
        for (let round = 0; round < rounds; round += 1) {
          await Promise.all(Array.from({ length: runs }, () => worker.run('go', { model: benchModel({ turns }) })))
        }
      })
      rates[name].push((runs * rounds * (turns + 1)) / (ms / 1000))
      if (runs > 1) commits.push(journal.stats().commits / (runs * (turns + 1)))
      await journal.close()
    }
  }
  const detail = `one run ${median(rates.one).toFixed(0)}, 200 at once ${median(rates.many).toFixed(0)} turns/s; 5 turns and an answer each, strict`
  return [
    figure('G16', 'turns a second of 200 durable runs over one, SQLite', {
      value: median(rates.many) / median(rates.one),
      goal: 5,
      better: 'higher',
      detail,
    }),
    figure('G16', 'commits a turn of 200 durable runs, SQLite', { value: median(commits), unit: 'commits', goal: 0.2, detail }),
  ]
}

/** W4: a thread of 10,000 events, from the start of a process to the next call of the model. */
async function measureResume(folder: string, repetitions: number): Promise<readonly Figure[]> {
  const file = join(folder, 'resume.db')
  const turns = 1670
  const journal = sqlite(file)
  await workerOn(journal, turns - 1, small).run('go', { thread: 't', model: benchModel({ turns: turns * 2 }) })
  const events = (await journal.head('t'))?.seq ?? 0
  await journal.close()
  const built = join(import.meta.dirname, '../packages/loom-agent/dist/index.js')
  const code = `
    import { agent, sqlite, tool } from ${JSON.stringify(built)}
    const model = { specificationVersion: 'v4', provider: 'bench', modelId: 'bench', supportedUrls: {}, doStream() { process.exit(0) } }
    agent({ name: 'bench', model, tools: [tool({ name: 'look', run: () => '' })], journal: sqlite(${JSON.stringify(file)}) })
      .resume('t', { limits: { turns: ${turns * 2} } })`
  const start = (text: string): Promise<unknown> => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text])
  const bare: number[] = []
  const loom: number[] = []
  for (let n = 0; n < repetitions; n += 1) {
    bare.push(await wallOf(() => start('')))
    loom.push(await wallOf(() => start(code)))
  }
  const detail = `${events} events; bare node ${median(bare).toFixed(0)} ms, with Loom ${median(loom).toFixed(0)} ms, import included`
  return [figure('W4', 'process start to the next model call over bare node', { value: median(loom) - median(bare), unit: 'ms', goal: 300, detail })]
}
