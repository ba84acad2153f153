/** A process that follows a thread learns at once that it was removed: the follower's own clock stands still, so nothing but a hint can tell it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testServer } from './postgres-samples.ts'

const { open, fresh } = testServer({ fsync: false })
const folder = mkdtempSync(join(tmpdir(), 'loom-removal-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Journals of the driver, of the follower and of the remover: connections of their own, where a store can have several. */
const stores: Readonly<Record<string, () => readonly [Journal, Journal, Journal]>> = {
  memory() {
    const journal = memoryJournal()
    return [journal, journal, journal]
  },
  file() {
    const journal = file(join(folder, 'threads'))
    return [journal, journal, journal]
  },
  sqlite() {
    const path = join(folder, 'loom.db')
    return [sqlite(path), sqlite(path), sqlite(path)]
  },
  postgres() {
    const schema = fresh()
    return [open(schema), open(schema), open(schema)]
  },
}

/** The error that work ends with; undefined when it succeeds. */
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test.each(Object.keys(stores))('a follower in another process learns of a removal by a hint: %s', { timeout: 30_000 }, async (name) => {
  const journals = stores[name]?.() ?? []
  const [driving, following, removing] = journals
  if (!driving || !following || !removing) throw new Error(`there is no store ${name}`)
  onTestFinished(async () => void (await Promise.all([...new Set(journals)].map((journal) => journal.close()))))
  const entered = Promise.withResolvers<void>()
  const proceed = Promise.withResolvers<string>()
  const wait = tool({
    name: 'wait',
    effect: 'read',
    run() {
      entered.resolve()
      return proceed.promise
    },
  })
  const options = {
    name: 'worker',
    model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'done' : { calls: [{ tool: 'wait' }] })),
    tools: [wait],
  }
  const driven = failureOf(agent({ ...options, journal: driving }).run('go', { thread: 'thread' }))
  await entered.promise
  const caughtUp = Promise.withResolvers<void>()
  const watched: Journal = {
    ...following,
    async read(thread, range) {
      const page = await following.read(thread, range)
      if (page.length === 0) caughtUp.resolve()
      return page
    },
  }
  const handle = agent({ ...options, journal: watched, ports: { clock: manualClock() } }).resume('thread')
  const follower = failureOf(handle.result())
  const [, head] = await Promise.all([caughtUp.promise, driving.head('thread')])
  // A thread is not removed while it is driven (JOURNAL-17): this driver counts as gone, and is not.
  if (head) await driving.release('thread', head)
  await removing.remove('thread')
  expect(await follower).toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  proceed.resolve('late')
  expect(await driven).toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
})
