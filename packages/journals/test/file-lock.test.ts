/** One process at a time may use a folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { idle } from '../../../test/support/event-loop.ts'
import { file, inspectFolder, nodeDisk } from '../src/file/index.ts'
import { eventsOf } from './events.ts'
import { accepted, batchAt, codes, fact } from './file-samples.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-file-lock-'))
const script = new URL('./file-process.ts', import.meta.url).pathname
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

type Said = { [key: string]: unknown }
const freshFolder = (): string => mkdtempSync(join(root, 'folder-'))

function start(what: 'open' | 'write', folder: string): ChildProcess {
  const child = spawn(process.execPath, ['--conditions=loom-source', script, what, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.add(child)
  // A process that has ended does not read any more.
  child.stdin?.on('error', () => {})
  return child
}

/** The first line that a process prints. */
async function firstOf(child: ChildProcess): Promise<Said> {
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) return JSON.parse(line) as Said
  return {}
}

/** Ends a process that holds the journal, and waits until it has ended; one that was refused ends by itself. */
async function end(child: ChildProcess, signal?: 'SIGKILL'): Promise<void> {
  const exit = child.exitCode === null ? once(child, 'exit') : undefined
  if (signal) child.kill(signal)
  else child.stdin?.write('end\n')
  await exit
}

/** The lock that a killed process leaves. */
async function leaveDeadLock(folder: string): Promise<void> {
  const child = start('open', folder)
  await firstOf(child)
  await end(child, 'SIGKILL')
  expect(existsSync(join(folder, 'lock'))).toBe(true)
}

test('of processes that open the same folder at once one wins, and the others get its number', async () => {
  const folder = freshFolder()
  const racers = Array.from({ length: 6 }, () => start('open', folder))
  const said = await Promise.all(racers.map(firstOf))
  const winners = said.flatMap(({ opened }) => (opened === undefined ? [] : [opened]))
  expect(winners.length).toBe(1)
  const losers = said.filter(({ opened }) => opened === undefined)
  for (const loser of losers) expect(loser).toMatchObject({ code: codes.unavailable, retry: 'later', context: { pid: winners[0] } })
  expect(String(losers[0]?.['message'])).toContain(`process ${winners[0]}`)
  for (const racer of racers) await end(racer)
  expect(readdirSync(folder)).toEqual([])
})

test('of processes that find the lock of a dead one exactly one replaces it, every time', { timeout: 120_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const folder = freshFolder()
    await leaveDeadLock(folder)
    const racers = Array.from({ length: 5 }, () => start('open', folder))
    const said = await Promise.all(racers.map(firstOf))
    const winners = said.flatMap(({ opened }) => (opened === undefined ? [] : [opened]))
    expect(winners.length).toBe(1)
    for (const { context } of said.filter(({ opened }) => opened === undefined)) expect(context).toMatchObject({ pid: winners[0] })
    for (const racer of racers) await end(racer)
    expect(readdirSync(folder)).toEqual([])
  }
})

test('only one of several journals in the same process gets the lock', async () => {
  const folder = freshFolder()
  await leaveDeadLock(folder)
  const journals = Array.from({ length: 20 }, () => file(folder))
  const results = await Promise.allSettled(journals.map((journal) => journal.head('t')))
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason.context.pid).toBe(process.pid)
  await Promise.all(journals.map((journal) => journal.close()))
  expect(readdirSync(folder)).toEqual([])
})

test('a journal that was refused can be used once the other one is closed', async () => {
  const folder = freshFolder()
  const [first, second] = [file(folder), file(folder)]
  await accepted(first, 't', batchAt(0, [fact(1)]))
  await expect(second.head('t')).rejects.toMatchObject({ context: { pid: process.pid } })
  await first.close()
  expect((await second.head('t'))?.seq).toBe(1)
  await second.close()
})

test('the lock is removed when a process ends without closing the journal', async () => {
  const folder = freshFolder()
  const child = start('open', folder)
  await firstOf(child)
  const held = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as Said
  expect(held).toMatchObject({ pid: child.pid })
  await end(child)
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('a lock from before the last start of this machine, or of a process number that is used again, is dead', async () => {
  const folder = freshFolder()
  const unlock = await nodeDisk().lock(folder)
  const held = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as { host: string; started: string }
  await unlock()
  const [machine = '', , space = ''] = held.host.split(' ')
  for (const dead of [
    { ...held, host: `${machine} another-start ${space}` },
    { ...held, started: '1' },
    { ...held, pid: 2 ** 22 + 1 },
  ]) {
    writeFileSync(join(folder, 'lock'), JSON.stringify(dead))
    writeFileSync(join(folder, `lock.${randomUUID()}`), JSON.stringify(dead))
    await (await nodeDisk().lock(folder))()
    expect(readdirSync(folder)).toEqual([])
  }
})

test('a lock that was left in a container is dead when the container runs again, whatever process has its number now', async () => {
  const folder = freshFolder()
  const unlock = await nodeDisk().lock(folder)
  const held = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as { host: string; started: string }
  await unlock()
  const [machine = '', boot = ''] = held.host.split(' ')
  for (const dead of [{ started: '1' }, { pid: 1, started: '1' }, { pid: 2 ** 22 + 1 }]) {
    writeFileSync(join(folder, 'lock'), JSON.stringify({ ...held, host: `${machine} ${boot} pid:[1]`, ...dead }))
    await (await nodeDisk().lock(folder))()
    expect(readdirSync(folder)).toEqual([])
  }
})

test('drafts of locks that a killed process has left, empty ones too, are removed with the next lock', async () => {
  const folder = freshFolder()
  for (const content of ['', '{"id":']) writeFileSync(join(folder, `lock.${randomUUID()}`), content)
  const unlock = await nodeDisk().lock(folder)
  expect(readdirSync(folder)).toEqual(['lock'])
  await unlock()
})

test('a lock of another machine is respected, and one that cannot be read is explained', async () => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'lock'), JSON.stringify({ id: randomUUID(), host: 'elsewhere boot space', pid: 7, started: '1' }))
  await expect(file(folder).head('t')).rejects.toThrow('in use by process 7 on elsewhere')
  for (const unreadable of ['', '{', '{"pid":"x"}', JSON.stringify({ id: '../x', host: 'a b c', pid: 1, started: '1' })]) {
    writeFileSync(join(folder, 'lock'), unreadable)
    await expect(file(folder).head('t')).rejects.toThrow('cannot be read. If no process uses the journal, remove that file.')
  }
})

test('a process that is killed at any time loses nothing that was acknowledged, and its epoch is not given again', { timeout: 120_000 }, async () => {
  const folder = freshFolder()
  let acknowledged = 0
  let epoch = 0
  for (let round = 0; round < 12; round += 1) {
    const child = start('write', folder)
    let heard = 0
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const said = JSON.parse(line) as { kind?: string; seq?: number; epoch?: number }
      if (said.kind === 'appended') acknowledged = said.seq ?? 0
      else {
        expect(said.epoch).toBeGreaterThan(epoch)
        epoch = said.epoch ?? 0
      }
      heard += 1
      // At another time of another append in every round.
      if (heard === 1 + round * 3) void idle(round % 4).then(() => child.kill('SIGKILL'))
    }
  }
  expect(acknowledged).toBeGreaterThan(12)
  expect((await inspectFolder(folder)).damage.filter(({ kind }) => kind !== 'torn')).toEqual([])
  const journal = file(folder, { onDamage: () => {} })
  const events = await eventsOf(journal, 't')
  expect(events.length).toBeGreaterThanOrEqual(acknowledged)
  expect(events.map(({ data }) => ('value' in data ? data.value : ''))).toEqual(events.map((_event, index) => index))
  expect((await journal.head('t'))?.epoch).toBeGreaterThanOrEqual(epoch)
  await journal.close()
})
