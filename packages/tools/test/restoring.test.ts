/** A process that is lost while it puts files back: the next one finishes, or says why not (RESTORE-1, RESTORE-2). */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { arrangeRestore, openRestoring, restoredFiles, restoringAgent } from './restoring-agent.ts'
import { contentsOf, modeOf, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'loom-restoring-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const kill = (folder: string, operation: number): Promise<number | 'killed'> =>
  new Promise((done, fail) => {
    const program = join(import.meta.dirname, 'restoring-process.ts')
    const child = execFile(process.execPath, ['--conditions=loom-source', program, folder, String(operation)], (error, stdout, stderr) => {
      if (child.signalCode === 'SIGKILL') return done('killed')
      if (error) return fail(new Error(stderr))
      done((JSON.parse(stdout) as { operations: number }).operations)
    })
  })

/** With `all` every operation, else some of them: each costs a process. */
const stride = process.env['LOOM_FILE_KILLS'] === 'all' ? 1 : 9

describe('a process that is killed before an operation on the file system, or before or after a commit', () => {
  test('leaves whole files, and the next one ends with the files as they were', async () => {
    const arranged = join(base, 'arranged')
    await arrangeRestore(arranged)
    const copy = (name: string): string => {
      cpSync(arranged, join(base, name), { recursive: true, verbatimSymlinks: true })
      return join(base, name)
    }
    const before = contentsOf(join(arranged, 'root'))
    const operations = Number(await kill(copy('whole'), 0))
    expect(operations).toBeGreaterThan(20)
    for (let operation = 1; operation <= operations; operation += stride) {
      const folder = copy(`at-${operation}`)
      const root = join(folder, 'root')
      expect(await kill(folder, operation)).toBe('killed')
      for (const [name, content] of Object.entries(contentsOf(root)))
        if (!name.includes('.loom-')) expect([before[name], restoredFiles[name]], `${name}, killed before ${operation}`).toContain(content)
      const journal = openRestoring(folder)
      await finish(folder, journal, operation)
      expect(contentsOf(root), `killed before operation ${operation}`).toEqual(restoredFiles)
      expect(modeOf(root, 'mode.sh')).toBe(0o644)
      const events = await eventsOf(journal, 'f')
      assertHistory(events)
      expect(events.filter(({ type }) => type === 'workspace.restored')).toHaveLength(1)
      expect(events.findLast(({ type }) => type === 'workspace.restored')?.data).toMatchObject({
        conflicts: [{ path: 'person.txt', reason: 'edited' }],
      })
      await journal.close()
    }
  }, 300_000)
})

/** Goes on by recovery, or by saying it again. */
async function finish(folder: string, journal: Journal, operation: number): Promise<void> {
  const next = restoringAgent(folder, journal)
  if (operation % 2 === 0 && (await journal.head('f'))) {
    const recovered = await next.recover()
    expect(recovered.every(({ thread, status }) => thread === 'f' && status === 'restored')).toBe(true)
    // Nobody has gone on with the fork.
    expect(await next.recover()).toEqual([])
  } else {
    const { files, conflicts } = await next.rewind('t@1', { thread: 'f' })
    expect(files).toHaveLength(5)
    expect(conflicts).toMatchObject([{ path: 'person.txt', reason: 'edited' }])
  }
}

describe('a fork whose files are not back yet', () => {
  let world: WorkspaceWorld
  beforeEach(() => {
    world = workspaceWorld()
  })
  afterEach(() => world.remove())

  /** Makes the fork; its process is lost before the first file is touched. */
  async function leaveFork(): Promise<void> {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [['write_file', { path: 'a.txt', content: 'two' }]])
    const { journal } = world
    const lost: Journal = { ...journal, acquire: () => Promise.reject(new Error('The process is lost.')) }
    await expect(world.agentFor([], { journal: lost }).rewind(`t@${start}`, { thread: 'f' })).rejects.toThrow('lost')
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
  }

  test('has them back before a run on it begins', async () => {
    await leaveFork()
    await world.agentFor([['read_file', { path: 'a.txt' }]]).run('Go on.', { thread: 'f' })
    const [finished] = await world.recorded('f', 'tool.finished')
    expect(JSON.stringify(finished?.output)).toContain('one')
    expect(world.contents()).toEqual({ 'a.txt': 'one' })
  })

  test('is refused by an agent without the workspace, which recovery reports', async () => {
    await leaveFork()
    const plain = agent({ name: 'coder', model: scriptedModel(['No.']), journal: world.journal })
    await expect(plain.run('Go on.', { thread: 'f' })).rejects.toMatchObject({ code: 'LOOM_WORKSPACE_MISSING' })
    expect(await plain.recover()).toMatchObject([{ thread: 'f', status: 'refused', error: { code: 'LOOM_WORKSPACE_MISSING' } }])
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
  })

  test('keeps what a person has written meanwhile', async () => {
    await leaveFork()
    world.put('a.txt', 'theirs')
    expect(await world.agentFor([]).recover()).toEqual([{ thread: 'f', status: 'restored' }])
    expect(world.contents()).toEqual({ 'a.txt': 'theirs' })
    expect(await world.recorded('f', 'workspace.restored')).toMatchObject([{ files: [], conflicts: [{ path: 'a.txt', reason: 'edited' }] }])
  })

  test('is put back by one process: the other waits, and returns what that has done', async () => {
    await leaveFork()
    const at = (await world.recorded('f', 'thread.forked'))[0]?.from ?? ''
    const both = await Promise.all([1, 2].map(() => world.agentFor([]).rewind(at, { thread: 'f' })))
    expect(both.map(({ files }) => files.map(({ path }) => path))).toEqual([['a.txt'], ['a.txt']])
    expect(await world.recorded('f', 'workspace.restored')).toHaveLength(1)
  })
})
