/** Heartbeats do not depend on the main thread (LIVE-5 to LIVE-8), and changes of the wall clock do not end leases. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { sqlite } from '@loom-agent/journals/sqlite'
import { buildSync } from 'esbuild'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { batchAt, facts } from './batches.ts'
import type { HeartbeatTask } from './heartbeat-process.ts'
import { type Program, startProcess, startProgram } from './processes.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()
/** A lease lasts three times as long. */
const every = 1000
const claim = { worker: 'other', incarnation: 'first', seen: 1 }

/** A database, and the files by which a test and the program talk. */
function newTask(more: Partial<HeartbeatTask> = {}): {
  readonly task: HeartbeatTask
  readonly go: () => void
  readonly entries: () => readonly string[]
} {
  const journal = pathOf()
  const task = { journal, every, go: `${journal}.go`, log: `${journal}.log`, ...more }
  writeFileSync(task.log, '')
  return { task, go: () => writeFileSync(task.go, ''), entries: () => readFileSync(task.log, 'utf8').split('\n').filter(Boolean) }
}

function start(name: string, task: HeartbeatTask, file?: string): Program {
  const program =
    file === undefined ? startProcess('heartbeat-process.ts', name, JSON.stringify(task)) : startProgram(file, name, JSON.stringify(task))
  onTestFinished(() => void program.kill('SIGKILL'))
  return program
}

function open(path: string) {
  const journal = sqlite(path, { heartbeat: { every } })
  onTestFinished(() => journal.close())
  return journal
}

/** When the last heartbeat of the other process was sent. */
function lastBeat(path: string): number {
  let beat = 0
  meddle(path, (db) => {
    beat = Number(db.prepare('select uptime from instances').get()?.['uptime'])
  })
  return beat
}

/** Claims the thread again and again, in vain, until heartbeats were sent for so many milliseconds. */
async function isHeldFor(ms: number, path: string): Promise<void> {
  const journal = open(path)
  const first = lastBeat(path)
  await until(async () => {
    expect((await journal.acquire('thread', claim)).kind).toBe('held')
    return lastBeat(path) - first >= ms
  })
}

/** The names of the threads of this process. */
const threadNames = (): readonly string[] => readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim())
const heartbeatThreads = (): number => threadNames().filter((name) => name === 'loom heartbeat').length

describe('a process whose event loop stands still', () => {
  test('keeps its thread: heartbeats go on for longer than two leases, and every claim is refused', { timeout: 60_000 }, async () => {
    const { task, go } = newTask()
    const holder = start('hold', task)
    await holder.said('valid true')
    await isHeldFor(6 * every, task.journal)
    go()
    expect((await holder.ended).trim().split('\n')).toEqual(['valid true', 'then valid true', 'appended'])
  })

  test('loses it once it has stood still for longer than `stall`, and is fenced (LIVE-6)', { timeout: 60_000 }, async () => {
    const { task, go } = newTask({ stall: 2 * every })
    const journal = open(task.journal)
    const holder = start('hold', task)
    await holder.said('valid true')
    await vi.waitFor(async () => expect((await journal.acquire('thread', claim)).kind).toBe('acquired'), { timeout: 30_000, interval: 50 })
    go()
    expect((await holder.ended).trim().split('\n')).toEqual(['valid true', 'then valid false', 'fenced'])
  })

  test('has its synchronous idempotent tool run once, though another process wants to go on with the thread', { timeout: 60_000 }, async () => {
    const { task, go, entries } = newTask()
    const driver = start('run', task)
    await vi.waitFor(() => expect(entries()).toHaveLength(1), { timeout: 30_000, interval: 20 })
    const other = start('resume', task)
    const first = lastBeat(task.journal)
    await vi.waitFor(() => expect(lastBeat(task.journal) - first).toBeGreaterThan(6 * every), { timeout: 30_000, interval: 50 })
    go()
    expect(await Promise.all([driver.ended, other.ended])).toEqual(['result done\n', 'result done\n'])
    expect(entries()).toEqual([String(driver.pid)])
  })

  test.each([
    ['esm', 'mjs'],
    ['cjs', 'cjs'],
  ] as const)('keeps its thread also when the program is one minified file (%s)', { timeout: 60_000 }, async (format, ending) => {
    const { task, go } = newTask()
    const outfile = `${task.journal}.${ending}`
    const banner = format === 'cjs' ? 'void 0;' : "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    buildSync({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile,
      bundle: true,
      minify: true,
      keepNames: true,
      platform: 'node',
      format,
      conditions: ['loom-source'],
      banner: { js: banner },
      logLevel: 'silent',
    })
    const holder = start('hold', task, outfile)
    await holder.said('valid true')
    await isHeldFor(4 * every, task.journal)
    go()
    expect((await holder.ended).trim().split('\n')).toEqual(['valid true', 'appended'])
  })
})

/** The program of the bundles: the same as the task `hold`, with nothing but the journal in it. */
const program = `
import { execFileSync } from 'node:child_process'
import { sqlite } from '@loom-agent/journals/sqlite'
import { batchAt, facts } from './batches.ts'
const { journal: path, every, go } = JSON.parse(process.argv[3] ?? '')
const journal = sqlite(path, { heartbeat: { every } })
async function main() {
  const { epoch } = await journal.acquire('thread', { worker: 'blocked', incarnation: 'first', seen: 0 })
  await journal.append('thread', batchAt(0, facts('a'), { epoch }))
  console.log('valid ' + journal.leaseValid('thread', { epoch, incarnation: 'first' }))
  execFileSync('sh', ['-c', 'until [ -e "$0" ]; do sleep 0.02; done', go])
  console.log((await journal.append('thread', batchAt(1, facts('b'), { epoch }))).kind)
  await journal.close()
}
void main()
`

test('a process that was stopped between the intent and the body does not enter the body when it continues (CALL-3)', {
  timeout: 60_000,
}, async () => {
  const { task, go, entries } = newTask()
  go()
  const frozen = start('freeze', task)
  await vi.waitFor(() => expect(readFileSync(`/proc/${frozen.pid}/stat`, 'utf8')).toMatch(/\) T /), { timeout: 30_000, interval: 20 })
  const other = start('resume', task)
  expect(await other.ended).toBe('result done\n')
  expect(entries()).toEqual([String(other.pid)])
  frozen.kill('SIGCONT')
  expect(await frozen.ended).toBe('result done\n')
  expect(entries()).toEqual([String(other.pid)])
})

// The threads of the whole process are counted: tests beside these may start and end some meanwhile.
describe('the worker', { retry: 3 }, () => {
  test('is started before a body may be entered, and ends with the journal', async () => {
    const path = pathOf()
    const before = heartbeatThreads()
    const journal = sqlite(path)
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    expect(heartbeatThreads()).toBe(before)
    expect(journal.leaseValid('thread', { epoch: 1, incarnation: 'first' })).toBe(true)
    await vi.waitFor(() => expect(heartbeatThreads()).toBe(before + 1))
    await journal.close()
    expect(heartbeatThreads()).toBe(before)
  })

  test('ends soon after the last thread was released, and there is another one for the next (LIVE-5)', async () => {
    const before = heartbeatThreads()
    const journal = sqlite(pathOf(), { heartbeat: { every: 200 } })
    onTestFinished(() => journal.close())
    for (const epoch of [1, 2]) {
      const lease = { epoch, incarnation: 'first' }
      await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: epoch - 1 })
      expect(journal.leaseValid('thread', lease)).toBe(true)
      await vi.waitFor(() => expect(heartbeatThreads()).toBe(before + 1))
      await journal.release('thread', lease)
      await vi.waitFor(() => expect(heartbeatThreads()).toBe(before))
    }
  })

  test('is not there when the journal has ports, a database in memory, or nothing to hold', async () => {
    const before = heartbeatThreads()
    const journals = [sqlite(pathOf(), { ports: { now: Date.now } }), sqlite(':memory:')]
    for (const journal of journals) {
      onTestFinished(() => journal.close())
      await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
      expect(journal.leaseValid('thread', { epoch: 1, incarnation: 'first' })).toBe(true)
    }
    const unused = sqlite(pathOf())
    onTestFinished(() => unused.close())
    expect(unused.leaseValid('thread', { epoch: 1, incarnation: 'first' })).toBe(false)
    await new Promise((resolve) => setImmediate(resolve))
    expect(heartbeatThreads()).toBe(before)
  })
})

describe('a lease', () => {
  test('is valid for three intervals after the last heartbeat, on the monotonic clock (LIVE-8)', async () => {
    let time = 0
    const journal = sqlite(pathOf(), { heartbeat: { every: 10_000 }, ports: { monotonic: () => time } })
    onTestFinished(() => journal.close())
    const lease = { epoch: 1, incarnation: 'first' }
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    time = 3 * 10_000 - 1
    expect(journal.leaseValid('thread', lease)).toBe(true)
    time += 1
    expect(journal.leaseValid('thread', lease)).toBe(false)
    // A driver that appends late sends the heartbeat along.
    expect((await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))).kind).toBe('appended')
    expect(journal.leaseValid('thread', lease)).toBe(true)
  })

  test('is not ended by a contributor of another incarnation that was fenced', async () => {
    const journal = sqlite(pathOf())
    onTestFinished(() => journal.close())
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
    expect((await journal.append('thread', batchAt(1, facts('x'), { incarnation: 'second' }))).kind).toBe('fenced')
    expect(journal.leaseValid('thread', { epoch: 1, incarnation: 'first' })).toBe(true)
  })
})

describe('a wall clock that jumps', () => {
  test.each([
    ['an hour forward', 3_600_000],
    ['an hour back', -3_600_000],
  ])('%s in one process takes no thread from a process that is alive, and keeps none for one that is not', async (_, jump) => {
    const path = pathOf()
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    onTestFinished(() => void holder.kill('SIGKILL'))
    await holder.said('acquired 1')
    let up = 0
    const journal = sqlite(path, { ports: { now: () => Date.now() + jump, uptime: () => uptime() * 1000 + up } })
    onTestFinished(() => journal.close())
    expect((await journal.acquire('thread', claim)).kind).toBe('held')
    // A claim of this process deletes rows of processes that are long gone: not this one.
    expect((await journal.acquire('another', { ...claim, seen: 0 })).kind).toBe('acquired')
    expect((await journal.head('thread'))?.holder).toBe('holder')
    holder.kill('SIGSTOP')
    up = 31_000
    expect((await journal.acquire('thread', claim)).kind).toBe('acquired')
  })

  test('a journal of an earlier version, whose rows have no uptime, is judged by the wall clock', async () => {
    const path = pathOf()
    await sqlite(path).close()
    meddle(path, (db) => db.exec('alter table instances drop column uptime'))
    let ahead = 0
    const [holder, other] = [sqlite(path), sqlite(path, { ports: { now: () => Date.now() + ahead } })]
    onTestFinished(async () => void (await Promise.all([holder.close(), other.close()])))
    await holder.acquire('thread', { worker: 'holder', incarnation: 'first', seen: 0 })
    meddle(path, (db) => db.exec('update instances set uptime = null'))
    expect((await other.acquire('thread', claim)).kind).toBe('held')
    ahead = 31_000
    expect((await other.acquire('thread', claim)).kind).toBe('acquired')
  })
})
