/** A process that is stopped in the middle of a commit keeps every writer out. That is reported, and does no harm. */
import { readFileSync } from 'node:fs'
import { agent } from '@loom-agent/agent'
import { type SqliteJournal, sqlite } from '@loom-agent/journals/sqlite'
import { LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { type Program, startProcess } from './processes.ts'
import { freshPaths } from './sqlite-samples.ts'

const pathOf = freshPaths()
const lockTimeout = 300

/** A journal with one thread, and a process that was stopped in the middle of a commit. */
async function frozenCommit(): Promise<{ readonly journal: SqliteJournal; readonly frozen: Program }> {
  const path = pathOf()
  const journal = sqlite(path, { lockTimeout })
  onTestFinished(() => journal.close())
  await journal.append('thread', batchAt(0, facts('a')))
  const frozen = startProcess('sqlite-process.ts', 'freeze', path)
  onTestFinished(() => void frozen.kill('SIGKILL'))
  await frozen.said('locked')
  await vi.waitFor(() => expect(readFileSync(`/proc/${frozen.pid}/stat`, 'utf8')).toMatch(/\) T /))
  return { journal, frozen }
}

const failureOf = (work: Promise<unknown>): Promise<LoomError> =>
  work.then(
    () => new LoomError('LOOM_JOURNAL_UNAVAILABLE', 'it did not fail'),
    (error: unknown) => error as LoomError,
  )

describe('while a process is stopped in the middle of a commit', () => {
  test('an append fails after the time-out, and the error says which process it is and what to do', async () => {
    const { journal, frozen } = await frozenCommit()
    const error = await failureOf(journal.append('thread', batchAt(1, facts('b'))))
    expect(error).toMatchObject({ code: 'LOOM_JOURNAL_UNAVAILABLE', retry: 'later', context: { pid: frozen.pid, stopped: true } })
    expect(error.message).toContain(`The process ${frozen.pid} was stopped in the middle of a commit`)
    expect(error.message).toContain(`kill -CONT ${frozen.pid}`)
  })

  test('what is stored can still be read', async () => {
    const { journal } = await frozenCommit()
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
  })

  test('a run ends with that error, and does not hang', async () => {
    const { journal, frozen } = await frozenCommit()
    const error = await failureOf(agent({ model: scriptedModel(['hello']), journal }).run('hi'))
    expect(error).toMatchObject({ code: 'LOOM_JOURNAL_UNAVAILABLE', context: { pid: frozen.pid, stopped: true } })
  })
})

test.each(['SIGCONT', 'SIGKILL'] as const)('after %s to the stopped process writers go on', async (signal) => {
  const { journal, frozen } = await frozenCommit()
  frozen.kill(signal)
  await frozen.ended
  expect(await journal.append('thread', batchAt(1, facts('b')))).toEqual({ kind: 'appended', seq: 2 })
  expect(await valuesOf(journal, 'thread')).toEqual(['a', 'b'])
})

test('a time-out that is no number of milliseconds is refused', () => {
  for (const options of [{ lockTimeout: 0 }, { heartbeat: { stall: Number.NaN } }]) {
    expect(() => sqlite(pathOf(), options)).toThrow('Give a number of at least 1')
  }
  for (const every of [-1, Number.NaN, 10_001, Number.POSITIVE_INFINITY]) {
    expect(() => sqlite(pathOf(), { heartbeat: { every } })).toThrow(`sqlite.heartbeat: every is ${every}. Give a number from 1 to 10000`)
  }
})
