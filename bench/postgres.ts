/** Durable runs on PostgreSQL: the journal, flushed before each effect, against a bare loop with two commits a turn on the same server. */
import { agent, tool } from '@loom-agent/agent'
import { type PostgresServer, startPostgresServer, startTcpProxy } from '@loom-agent/harness/servers'
import { type PostgresJournal, postgres } from '@loom-agent/journals/postgres'
import driver from 'postgres'
import { z } from 'zod'
import { handLoop } from './floor.ts'
import { type Figure, median, timesOf, wallOf } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

const workload = 'PG'
const look = tool({ name: 'look', input: z.object({ q: z.string(), turn: z.number() }), run: ({ turn }) => resultOf(turn) })

const workerOn = (journal: PostgresJournal, turns: number) =>
  agent({ name: 'bench', instructions: 'Look.', tools: { look }, permissions: { look: 'allow' }, limits: { turns: turns + 1 }, journal })

async function loomRun(journal: PostgresJournal, turns: number): Promise<void> {
  const { status } = await workerOn(journal, turns).run('go', { model: benchModel({ turns }) })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
}

const bareTables = `
create table messages (seq bigint generated always as identity primary key, body text not null);
create table heads (id bigint primary key, seq bigint not null, epoch bigint not null) with (fillfactor = 50);
create table fenced (head bigint not null, seq bigint not null, body text not null, primary key (head, seq))`
const bareInsert = 'insert into messages (body) values ($1)'
const fencedInsert = `with h as (update heads set seq = seq + 1 where id = $1 and seq = $2 and epoch = 1 returning id, seq)
  insert into fenced (head, seq, body) select id, seq, $3 from h`

type Keep = (sql: driver.Sql) => Promise<(text: string) => Promise<unknown>>

/** The floor: an insert for each message. */
const bare: Keep = async (sql) => (text) => sql.unsafe(bareInsert, [text], { prepare: true })

/** The least it costs to keep two writers of one conversation apart: the insert, and a head row that it is compared with. */
const fenced: Keep = async (sql) => {
  const [head] = await sql.unsafe('insert into heads select count(*), 0, 1 from heads returning id')
  let seq = 0
  return async (text) => {
    const { count } = await sql.unsafe(fencedInsert, [head?.['id'] as string, seq, text], { prepare: true })
    if (count !== 1) throw new Error('the head has moved')
    seq += 1
  }
}

/** A hand loop that keeps each message, with the same model, driver, server and payload; one commit for the reply, one for the result. */
async function handRun(sql: driver.Sql, turns: number, keep: Keep): Promise<void> {
  const store = await keep(sql)
  await handLoop(
    benchModel({ turns }),
    ({ turn }) => resultOf(turn),
    (message) => store(JSON.stringify(message)),
  )
}

/** Measures everything on PostgreSQL; where no server can be started, says so and measures nothing. */
export async function measurePostgres(quick: boolean): Promise<readonly Figure[]> {
  let server: PostgresServer
  try {
    server = await startPostgresServer()
  } catch (error) {
    console.log(`-  ${workload} nothing is measured on PostgreSQL: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
  const sql = driver(server.url, { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    await sql.unsafe(bareTables)
    return [await measureRoundTrips(server, sql), ...(await measureTurn(server, sql, quick)), await measureMany(server, quick ? 3 : 7)]
  } finally {
    await sql.end({ timeout: 1 })
    await server.close()
  }
}

/** What a turn took on one side: wall and CPU of this process in microseconds, run by run. */
interface Side {
  readonly run: () => Promise<void>
  readonly walls: number[]
  readonly cpus: number[]
}

/** One turn against two commits, on one server, alternating. A process that has just started has not compiled its code yet: its first runs are reported, and not counted. */
async function measureTurn({ url }: PostgresServer, sql: driver.Sql, quick: boolean): Promise<readonly Figure[]> {
  const [turns, warmUps, repetitions] = quick ? [100, 10, 10] : [200, 40, 40]
  const journal = postgres(url, { schema: 'turn' })
  const side = (run: () => Promise<void>): Side => ({ run, walls: [], cpus: [] })
  const sides = [side(() => handRun(sql, turns, bare)), side(() => handRun(sql, turns, fenced)), side(() => loomRun(journal, turns))] as const
  for (let n = 0; n < warmUps + repetitions; n += 1) {
    for (const { run, walls, cpus } of sides) {
      const { wall, cpu } = await timesOf(run)
      walls.push((wall / turns) * 1000)
      cpus.push(cpu / turns)
    }
  }
  await journal.close()
  const [floor, head, loom] = sides
  const warm = (values: readonly number[]): number => median(values.slice(warmUps))
  const early = median(loom.walls.slice(0, 5)) / median(floor.walls.slice(0, 5))
  const shown = ({ walls, cpus }: Side): string => `${warm(walls).toFixed(0)} us wall and ${warm(cpus).toFixed(0)} us CPU here`
  const detail =
    `${turns} turns, fsync on, 480 B a turn; hand loop ${shown(floor)}, with a head row ${shown(head)}, Loom ${shown(loom)}; ` +
    `${repetitions} interleaved, after ${warmUps}; wall in the first ${5 * turns} turns of the process ${early.toFixed(2)} x`
  const what = 'strict Postgres turn over a hand loop with two prepared inserts'
  const common = { workload, unit: 'x', better: 'lower', detail } as const
  return [
    { ...common, what: `${what}, wall`, value: warm(loom.walls) / warm(floor.walls), goal: 1.3 },
    { ...common, what: `${what} that are compared with a head row, wall`, value: warm(loom.walls) / warm(head.walls) },
    { ...common, what: `${what}, CPU of the process`, value: warm(loom.cpus) / warm(floor.cpus) },
  ]
}

/** What a run has cost the server: requests on the wire, statements by the journal's count, commits by the server's. */
interface Traffic {
  readonly roundTrips: number
  readonly statements: number
  readonly commits: number
}

/** What each further turn costs: a long run less a short one, so that beginning and end do not count. */
async function measureRoundTrips({ url, port }: PostgresServer, sql: driver.Sql): Promise<Figure> {
  const [short, long] = [100, 300]
  const committed = async (): Promise<number> => {
    const [row] = await sql.unsafe('select xact_commit from pg_stat_database where datname = current_database()')
    return Number(row?.['xact_commit'])
  }
  const traffic = async (turns: number): Promise<Traffic> => {
    const before = await committed()
    const proxy = await startTcpProxy(port)
    const journal = postgres(url.replace(`:${port}/`, `:${proxy.port}/`), { schema: `trips_${turns}` })
    await loomRun(journal, turns)
    const [{ statements }, roundTrips] = [journal.stats(), proxy.roundTrips()]
    // The server counts the commits of a connection when it ends.
    await journal.close()
    await proxy.close()
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { statements, roundTrips, commits: (await committed()) - before }
  }
  const [few, many] = [await traffic(short), await traffic(long)]
  const each = (key: keyof Traffic): number => (many[key] - few[key]) / (long - short)
  const detail =
    `on the wire, seen by a proxy, ${long} turns less ${short}: beginning and end do not count; ` +
    `statements ${each('statements').toFixed(2)}, commits by the server's count ${each('commits').toFixed(2)}; ` +
    `a whole run of ${long} turns ${many.roundTrips}, connecting and making tables included`
  return { workload, what: 'round trips of a Postgres turn', value: each('roundTrips'), unit: 'round trips', goal: 2, better: 'lower', detail }
}

async function measureMany({ url }: PostgresServer, repetitions: number): Promise<Figure> {
  const turns = 5
  const rates = { one: [] as number[], many: [] as number[] }
  const commits: number[] = []
  const sizes = { one: { runs: 1, rounds: 20 }, many: { runs: 200, rounds: 1 } }
  const warmUps = 5
  for (let n = 0; n < repetitions + warmUps; n += 1) {
    for (const name of ['one', 'many'] as const) {
      const { runs, rounds } = sizes[name]
      const journal = postgres(url, { schema: `${name}_${n}` })
      const worker = workerOn(journal, turns)
      // Connecting and making the tables is not what is measured.
      await journal.head('unused')
      const ms = await wallOf(async () => {
        for (let round = 0; round < rounds; round += 1) {
          await Promise.all(Array.from({ length: runs }, () => worker.run('go', { model: benchModel({ turns }) })))
        }
      })
      const done = journal.stats().commits
      await journal.close()
      if (n < warmUps) continue
      rates[name].push((runs * rounds * (turns + 1)) / (ms / 1000))
      if (runs > 1) commits.push(done / (runs * (turns + 1)))
    }
  }
  const value = median(rates.many) / median(rates.one)
  const detail =
    `one run ${median(rates.one).toFixed(0)}, 200 at once ${median(rates.many).toFixed(0)} turns/s; 5 turns and an answer each, strict; ` +
    `${median(commits).toFixed(2)} commits a turn`
  return { workload, what: 'turns a second of 200 durable runs over one, Postgres', value, unit: 'x', goal: 10, better: 'higher', detail }
}
