/** A change of a file is made once and states the same facts, wherever the process is lost (CHANGING-1 to CHANGING-3). */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory } from '@loom-agent/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { changes, changingAgent, openJournal } from './changing-agent.ts'
import { makeWorld, type World } from './world.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'loom-changes-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const sha = (content: string | null): string | null => (content === null ? null : createHash('sha256').update(content).digest('hex'))

/** Names and contents of the files in a folder; names of temporary files, too. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(entries.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]))
}

function arrange(name: string, before: string | null): string {
  const folder = join(base, name)
  mkdirSync(join(folder, 'root', 'sub'), { recursive: true })
  if (before !== null) writeFileSync(join(folder, 'root', 'sub', 'a.txt'), before)
  return folder
}

interface Ended {
  readonly operations: number | undefined
  readonly isKilled: boolean
}

const kill = (folder: string, change: string, operation: number): Promise<Ended> =>
  new Promise((done, fail) => {
    const program = join(import.meta.dirname, 'changing-process.ts')
    const child = execFile(process.execPath, ['--conditions=loom-source', program, folder, change, String(operation)], (error, stdout, stderr) => {
      if (error && child.signalCode !== 'SIGKILL') return fail(new Error(stderr))
      done({
        operations: stdout === '' ? undefined : (JSON.parse(stdout) as { operations: number }).operations,
        isKilled: child.signalCode === 'SIGKILL',
      })
    })
  })

/** What the call returned, as it is in the journal. */
async function resultOf(journal: Journal): Promise<unknown> {
  const events = await eventsOf(journal, 't')
  assertHistory(events)
  const finished = events.filter(({ type }) => type === 'tool.finished').map(({ data }) => data as { status: string; output: { value: unknown } })
  expect(finished).toHaveLength(1)
  expect(finished[0]?.status).toBe('success')
  return finished[0]?.output.value
}

/** With `all` every operation, else some of them: each costs a process. */
const stride = process.env['LOOM_FILE_KILLS'] === 'all' ? 1 : 7

describe('a process that is killed before an operation on the file system, or before or after a commit', () => {
  test.each(Object.keys(changes))(
    '%s is finished by the next one, once, with the same facts',
    async (change) => {
      const { before = null, after = null } = changes[change] ?? {}
      const { operations = 0 } = await kill(arrange('whole', before), change, 0)
      expect(operations).toBeGreaterThan(10)
      // Before the first commit there is no run to go on with.
      for (let operation = 2; operation <= operations; operation += stride) {
        const folder = arrange(`at-${operation}`, before)
        expect((await kill(folder, change, operation)).isKilled).toBe(true)
        expect([before, after]).toContain(filesIn(join(folder, 'root'))['a.txt'] ?? null)
        const journal = openJournal(folder)
        expect(await changingAgent(folder, change, journal).resume('t').result()).toMatchObject({ status: 'done', text: 'Done.' })
        expect(filesIn(join(folder, 'root')), `killed before operation ${operation}`).toEqual(after === null ? {} : { 'a.txt': after })
        expect(await resultOf(journal)).toMatchObject({ files: [{ path: 'sub/a.txt', before: sha(before), after: sha(after) }] })
        await journal.close()
      }
    },
    300_000,
  )
})

describe('a person who edits the file during the call', () => {
  let world: World
  beforeEach(() => {
    world = makeWorld()
  })
  afterEach(() => world.remove())

  test.each(['write_file', 'edit', 'delete_file'])('keeps every byte, and %s says so', async (tool) => {
    writeFileSync(world.inRoot('a.txt'), 'x = 1')
    const input = { path: 'a.txt', ...(tool === 'write_file' && { content: 'new' }), ...(tool === 'edit' && { edits: [{ old: '1', new: '2' }] }) }
    const said = await world.call(tool as 'edit', input, {
      between: (step) => {
        if (step === 'apply') writeFileSync(world.inRoot('a.txt'), "x = 1, and a person's words")
      },
    })
    expect(String(said)).toContain('was changed by somebody else during this call')
    expect(readFileSync(world.inRoot('a.txt'), 'utf8')).toBe("x = 1, and a person's words")
  })

  test('a file that somebody else makes meanwhile is not overwritten', async () => {
    const said = await world.call(
      'write_file',
      { path: 'a.txt', content: 'new' },
      {
        between: (step) => {
          if (step === 'apply') writeFileSync(world.inRoot('a.txt'), 'theirs')
        },
      },
    )
    expect(String(said)).toContain('was changed by somebody else during this call')
    expect(readFileSync(world.inRoot('a.txt'), 'utf8')).toBe('theirs')
  })
})
