/** Watched commands whose process was lost, and files that others changed while a command ran (FILES-2, REWIND-3). */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { approve, reject, respond, tool } from '@loom-agent/agent'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { losingAgent, openLosing } from './lost-watch-agent.ts'
import { sha, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

/** A trial whose process was killed in the middle of its command. */
async function lost(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-lost-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'root'))
  writeFileSync(join(folder, 'root/b.txt'), 'as it was')
  const program = fileURLToPath(new URL('./lost-watch-process.ts', import.meta.url))
  const child: ChildProcess = spawn(process.execPath, ['--conditions=loom-source', program, folder], { stdio: 'ignore' })
  await until(() => existsSync(join(folder, 'begun')))
  child.kill('SIGKILL')
  await new Promise((ended) => child.once('exit', ended))
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const said = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : ''
    if (said === 'sleep\u0000300\u0000' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)) process.kill(Number(pid), 'SIGKILL')
  }
  return folder
}

const answers = { approve: () => approve(), reject: () => reject('no'), respond: () => respond('It wrote half.') }

test.each(Object.entries(answers))('a rewind names a call whose process was lost, before and after the answer %s', async (_, answered) => {
  const folder = await lost()
  const journal = openLosing(folder)
  cleanups.push(() => journal.close())
  const agent = losingAgent(folder, journal)
  let asked = ''
  await until(async () => {
    const { questions } = await agent.resume('t').result()
    asked = questions[0]?.id ?? ''
    return asked !== ''
  })
  const named = [expect.stringMatching(/^the call 2\.0: its process was lost, and what it had changed until then is not known$/)]
  expect(await agent.planRewind('t@2')).toMatchObject({ files: [{ path: 'a.txt' }], unseen: named })
  if (answered === answers.approve) return
  await agent.answer(asked, answered())
  await agent.resume('t').result()
  const { files, unseen } = await agent.rewind('t@2', { thread: 'f' })
  expect([files.map(({ path }) => path), unseen]).toEqual([['a.txt'], named])
  expect(readdirSync(join(folder, 'root'))).toEqual(['b.txt'])
  expect(readFileSync(join(folder, 'root/b.txt'), 'utf8')).toBe('half')
})

function makeWorld(options: Parameters<typeof workspaceWorld>[0]): WorkspaceWorld {
  const world = workspaceWorld(options)
  cleanups.push(() => world.remove())
  return world
}

/** A command under way, while somebody else writes into two files. */
const meanwhile = (world: WorkspaceWorld) =>
  world.files.watching(
    tool({
      name: 'long',
      run: () => {
        world.put('made.txt', 'by the command')
        world.put('notes.txt', 'by a person meanwhile')
        world.put('plan.txt', 'a new plan of a person')
      },
    }),
  )

test('a file that changed while a command ran is undone only where its content is in the journal', async () => {
  const world = makeWorld({ contents: 'snapshots' })
  world.put('notes.txt', 'before')
  const start = await world.run('t', [])
  await world.run('t', [['long', {}]], { long: meanwhile(world) })
  const agent = world.agentFor([])
  const plan = await agent.planRewind(`t@${start}`)
  expect(plan.shared).toEqual(['made.txt', 'notes.txt', 'plan.txt'])
  const { shared } = await agent.rewind(`t@${start}`, { thread: 'f' })
  expect(shared).toEqual(plan.shared)
  expect(world.contents()).toEqual({ 'notes.txt': 'before' })
  for (const content of ['by a person meanwhile', 'a new plan of a person'])
    expect(Buffer.from((await world.journal.blob(sha(content))) ?? []).toString()).toBe(content)
})

test('with hashes alone nothing is undone that somebody else may have written', async () => {
  const world = makeWorld({ contents: 'hashes' })
  world.put('notes.txt', 'before')
  const start = await world.run('t', [])
  await world.run('t', [['long', {}]], { long: meanwhile(world) })
  const { files, conflicts } = await world.agentFor([]).rewind(`t@${start}`)
  expect(files).toEqual([])
  expect(conflicts.map(({ path, reason }) => [path, reason])).toEqual([
    ['made.txt', 'not-kept'],
    ['notes.txt', 'not-kept'],
    ['plan.txt', 'not-kept'],
  ])
  expect(world.contents()).toMatchObject({ 'notes.txt': 'by a person meanwhile', 'plan.txt': 'a new plan of a person' })
})
