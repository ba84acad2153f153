/**
 * A program whose event loop stands still, for tests of heartbeats: `node heartbeat-process.ts <task> <options>`. The options are JSON: where the journal is,
 * how often heartbeats are sent, and the file `go`, for which the program waits without returning to the event loop.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { agent, tool } from '@loom-agent/agent'
import { postgres } from '@loom-agent/journals/postgres'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { batchAt, facts } from './batches.ts'

/** What a test tells the program. */
export interface HeartbeatTask {
  /** The path of a SQLite database, or the address of a PostgreSQL server. */
  readonly journal: string
  readonly schema?: string
  readonly every: number
  readonly stall?: number
  /** The file that ends the wait. */
  readonly go: string
  /** The file that gets a line for every entry of a body. */
  readonly log: string
}

const [task = '', given = '{}'] = process.argv.slice(2)
const { journal: place, schema = 'loom', every, stall, go, log } = JSON.parse(given) as HeartbeatTask
const heartbeat = { every, ...(stall !== undefined && { stall }) }
const journal: Journal = place.startsWith('postgres:') ? postgres(place, { schema, heartbeat }) : sqlite(place, { heartbeat })

/** Waits for a file as a tool does that runs a command and waits for it: the event loop stands still. */
function block(): void {
  execFileSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.02; done', go])
}

const compute = tool({
  name: 'compute',
  effect: 'idempotent',
  run() {
    appendFileSync(log, `${process.pid}\n`)
    block()
    return 'computed'
  },
})

/** The agent of every process; it drives through the given journal. */
const worker = (through: Journal) =>
  agent({
    name: 'worker',
    model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: [{ tool: 'compute' }] })),
    tools: [compute],
    journal: through,
  })

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  /** Holds a thread while the event loop stands still, and says whether the lease is valid afterwards and how an append ends. */
  async hold() {
    const { epoch } = await journal.acquire('thread', { worker: 'blocked', incarnation: 'first', seen: 0 })
    await journal.append('thread', batchAt(0, facts('a'), { epoch }))
    const lease = { epoch, incarnation: 'first' }
    console.log(`valid ${journal.leaseValid('thread', lease)}`)
    block()
    console.log(`then valid ${journal.leaseValid('thread', lease)}`)
    console.log((await journal.append('thread', batchAt(1, facts('b'), { epoch }))).kind)
    await journal.close()
  },
  /** Runs an agent whose tool computes without a pause. */
  async run() {
    const { text } = await worker(journal).run('go', { thread: 'thread' })
    console.log(`result ${text}`)
    await journal.close()
  },
  /** The same; the process is stopped when the intent of the call is durable and its body has not been entered. */
  async freeze() {
    const freezing: Journal = {
      ...journal,
      async append(thread, batch) {
        const result = await journal.append(thread, batch)
        if (batch.events.some(({ type }) => type === 'tool.started')) process.kill(process.pid, 'SIGSTOP')
        return result
      },
    }
    const { text } = await worker(freezing).run('go', { thread: 'thread' })
    console.log(`result ${text}`)
    await journal.close()
  },
  /** Goes on with the thread until its end. */
  async resume() {
    const { text } = await worker(journal).resume('thread').result()
    console.log(`result ${text}`)
    await journal.close()
  },
}

await tasks[task]?.()
