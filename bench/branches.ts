/** B4 and B5, branches in time: what a fork of a long thread costs and adds, and how long the replay of a long record takes. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Agent, agent, type ContextStrategy, tool } from '@loom-agent/agent'
import { type SqliteJournal, sqlite } from '@loom-agent/journals/sqlite'
import { z } from 'zod'
import { type Figure, figure, median, timesOf } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

/** Enough turns for a thread of 10,000 events. */
const longTurns = 1670
const replayTurns = 500
/** Lengths over which the time of a replay has to grow no faster than the record. */
const replayLengths = [1000, 4000, 17_000]
/** Forks before the clock counts: the code is compiled by then. */
const warmUps = 5
const grant = { tokens: 10_000 }

const workerOn = (journal: SqliteJournal, turns: number, instructions = 'Look.'): Agent =>
  agent({
    name: 'bench',
    instructions,
    tools: { look: tool({ name: 'look', input: z.object({ q: z.string(), turn: z.number() }), run: ({ turn }) => resultOf(turn) }) },
    limits: { turns: turns + 1 },
    journal,
  })

/** Records a thread in a file of its own, and returns how many events it has. */
async function record(path: string, turns: number): Promise<number> {
  const journal = sqlite(path)
  const { status } = await workerOn(journal, turns).run('go', { thread: 't', model: benchModel({ turns }) })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
  const events = (await journal.head('t'))?.seq ?? 0
  await journal.close()
  return events
}

/** Measures forks and replays. */
export const measureBranches = (quick: boolean): Promise<readonly Figure[]> =>
  inFolder(async (folder) => [...(await measureForks(folder, quick ? 5 : 15)), ...(await measureReplays(folder, quick ? 3 : 7))])

/** Measures replays of several lengths. A workload of its own: earlier commits have no such reports, and are compared in the others. */
export const measureLengths = (quick: boolean): Promise<readonly Figure[]> => inFolder((folder) => measureReplayLengths(folder, quick))

async function inFolder(measure: (folder: string) => Promise<readonly Figure[]>): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-bench-'))
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a file holds of a thread, byte for byte. */
function storedIn(path: string, thread: string): { readonly bytes: number; readonly digest: string } {
  const db = new DatabaseSync(path, { readOnly: true })
  const sql = 'select hex(batches.line) as line from batches join threads on batches.thread = threads.id where threads.name = ? order by batches.last'
  const lines = db
    .prepare(sql)
    .all(thread)
    .map(({ line }) => String(line))
  db.close()
  if (lines.length === 0) throw new Error(`there is nothing of ${thread}`)
  return { bytes: lines.join('').length / 2, digest: createHash('sha256').update(lines.join('\n')).digest('hex') }
}

/** Forks from a journal that was just opened, so that nothing is cached; and from one that has forked the thread before. */
async function measureForks(folder: string, repetitions: number): Promise<readonly Figure[]> {
  const path = join(folder, 'forks.db')
  const events = await record(path, longTurns)
  const before = { size: statSync(path).size, parent: storedIn(path, 't').digest }
  const walls = { fresh: [] as number[], warm: [] as number[] }
  const cpus = { fresh: [] as number[], warm: [] as number[] }
  const edit = { kind: 'instructions', text: 'Look elsewhere.' } as const
  let first: number | undefined
  for (let n = 0; n < repetitions + warmUps; n += 1) {
    const journal = sqlite(path)
    const worker = workerOn(journal, longTurns)
    for (const name of ['fresh', 'warm'] as const) {
      const fork = (): Promise<unknown> => worker.fork(`t@${events - 10}`, { thread: `${name}-${n}`, limits: grant, edit })
      const { wall, cpu } = await timesOf(fork)
      first ??= wall
      if (n < warmUps) continue
      walls[name].push(wall)
      cpus[name].push(cpu / 1000)
    }
    await journal.close()
  }
  const forks = (repetitions + warmUps) * 2
  const own = storedIn(path, 'fresh-0').bytes
  const added = (statSync(path).size - before.size) / forks
  const untouched = storedIn(path, 't').digest === before.parent ? forks : 0
  const detailOf = (name: 'fresh' | 'warm'): string =>
    `${events} events in a SQLite file, cut 10 before the end; CPU ${median(cpus[name]).toFixed(0)} ms; median of ${repetitions}, the first of the process ${first?.toFixed(0)} ms`
  return [
    figure('B4', 'a fork of a long thread, the journal just opened', { value: median(walls.fresh), unit: 'ms', goal: 50, detail: detailOf('fresh') }),
    figure('B4', 'a fork of a long thread, the journal in use', { value: median(walls.warm), unit: 'ms', detail: detailOf('warm') }),
    figure('B4', 'bytes that a fork adds to the file', {
      value: added,
      unit: 'B',
      goal: 4096,
      detail: `the file after close, pages of 8 KiB, mean of ${forks} forks`,
    }),
    figure('B4', "bytes of a fork's own events", { value: own, unit: 'B', goal: 4096, detail: 'its lines as they are stored' }),
    figure('B4', 'forks that left the bytes of their parent as they were', {
      value: untouched,
      unit: 'forks',
      better: 'higher',
      goal: forks,
      detail: 'SHA-256 over its lines',
    }),
  ]
}

/** Replays a record, with the same and with other instructions. */
async function measureReplays(folder: string, repetitions: number): Promise<readonly Figure[]> {
  const path = join(folder, 'replays.db')
  const events = await record(path, replayTurns)
  const figures: Figure[] = []
  for (const [mode, changed, turns] of [
    ['stop-at-divergence', false, replayTurns + 1],
    ['continue-recorded', true, replayTurns + 1],
  ] as const) {
    const walls: number[] = []
    const cpus: number[] = []
    for (let n = 0; n < repetitions; n += 1) {
      const journal = sqlite(path)
      const worker = workerOn(journal, replayTurns)
      const { wall, cpu } = await timesOf(async () => {
        const report = await worker.replay('t', { mode, ...(changed && { with: { instructions: 'Look twice.' } }) })
        if (report.turns.length !== turns || (report.divergence !== undefined) !== changed) throw new Error('the replay is not what was asked for')
      })
      walls.push(wall)
      cpus.push(cpu)
      await journal.close()
    }
    const how = changed ? 'every turn differs' : 'no turn differs'
    const detail = `${events} events, ${how}; CPU ${(median(cpus) / 1000).toFixed(0)} ms; median of ${repetitions}`
    figures.push(figure('B5', `a replay of ${replayTurns} turns, ${mode}`, { value: median(walls), unit: 'ms', goal: 2000, detail }))
  }
  return figures
}

/** Asks for a window of the last entries with every turn; one long run does not let it move. */
const window: ContextStrategy = {
  name: 'window',
  assemble: ({ frame }) => ({ rebase: { reason: 'window', keepFrom: frame.history.length - 20 } }),
}

/** Replays records of several lengths, each once with other instructions and once under a window: the time of a turn, and the bytes of the report. */
async function measureReplayLengths(folder: string, quick: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const turns of quick ? replayLengths.slice(0, 1) : replayLengths) {
    const path = join(folder, `replays-${turns}.db`)
    await record(path, turns)
    for (const [how, changes] of [
      ['other instructions', { instructions: 'Look twice.' }],
      ['a window', { context: window }],
    ] as const) {
      const journal = sqlite(path)
      let bytes = 0
      const { wall, cpu } = await timesOf(async () => {
        const report = await workerOn(journal, turns).replay('t', { with: changes })
        if (report.totals.turns !== turns + 1) throw new Error('the replay is not what was asked for')
        bytes = JSON.stringify(report).length
      })
      await journal.close()
      const detail = `${(wall / 1000).toFixed(1)} s in all, CPU ${(cpu / 1e6).toFixed(1)} s; the report has ${bytes} bytes`
      figures.push(figure('B5', `a turn of a replay of ${turns}, ${how}`, { value: (wall * 1000) / turns, unit: 'us', detail }))
    }
  }
  return figures
}
