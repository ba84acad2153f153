/** A coding task from its beginning to its end, in a real repository: read, search, edit, run the tests, and go back to try another way. */
import { execFileSync } from 'node:child_process'
import { type Agent, agent, memoryJournal, turnsOf } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { fileTools, shellTools, workspace } from '@loom-agent/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { type ScriptedCall, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

let world: WorkspaceWorld
beforeEach(() => {
  world = workspaceWorld()
})
afterEach(() => world.remove())

const source = `export function median(numbers) {
  const sorted = numbers.sort()
  return sorted[Math.floor(sorted.length / 2)]
}
`
const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median } from '../src/median.mjs'

test('the median of numbers', () => assert.equal(median([10, 9, 1]), 9))
test('leaves its input alone', () => {
  const given = [3, 1, 2]
  median(given)
  assert.deepEqual(given, [3, 1, 2])
})
`

/** A repository of git with a test that fails. */
function makeRepository(): void {
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], { cwd: world.root })
  world.put('package.json', '{ "type": "module" }\n')
  world.put('src/median.mjs', source)
  world.put('test/median.test.mjs', tests)
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'Add the median')
}

const journal = memoryJournal()
function coder(calls: readonly ScriptedCall[]): Agent {
  const files = workspace({ root: world.root, contents: 'snapshots' })
  const model = scriptedModel([...calls.map(([tool, input]) => ({ calls: [{ tool, input: input as never }] })), 'Done.'])
  const tools = {
    ...fileTools({ root: world.root, workspace: 'snapshots' }),
    ...shellTools({ cwd: world.root, workspace: files, path: `${process.execPath.replace(/\/[^/]*$/, '')}:/usr/bin:/bin` }),
  }
  return agent({ name: 'coder', model, journal, tools, workspace: files, permissions: { '*': 'allow' } })
}

/** The files of the program, without those of git. */
const program = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(world.contents()).filter(([path]) => !path.startsWith('.git/')))

const runTests: ScriptedCall = ['bash', { command: 'node --test > report.txt 2>&1; code=$?; grep -c "^not ok\\|^✖" report.txt; exit $code' }]
const looking: readonly ScriptedCall[] = [
  ['read_file', { path: 'src/median.mjs' }],
  ['grep', { pattern: 'median\\(' }],
]
const first: ScriptedCall = ['edit', { path: 'src/median.mjs', edits: [{ old: 'numbers.sort()', new: 'numbers.sort((a, b) => a - b)' }] }]
const second: ScriptedCall = ['edit', { path: 'src/median.mjs', edits: [{ old: 'numbers.sort()', new: '[...numbers].sort((a, b) => a - b)' }] }]

/** What the calls of a tool returned on a thread. */
const returned = async (thread: string, tool: string): Promise<readonly unknown[]> => {
  const events = await eventsOf(journal, thread)
  assertHistory(events)
  const calls = new Map<string, string>(
    events.flatMap((event) =>
      event.type === 'model.replied'
        ? event.data.parts.flatMap((part, index) => (part.type === 'call' ? [[`${event.turn}.${index}`, part.name] as const] : []))
        : [],
    ),
  )
  return events.flatMap((event) => (event.type === 'tool.finished' && calls.get(event.data.call) === tool ? [event.data.output.value] : []))
}

test('an agent reads, searches, edits and runs the tests; a rewind before the edit restores the files, and another way ends right', async () => {
  makeRepository()
  const before = program()
  expect(await coder([...looking, first, runTests]).run('Make the tests pass.', { thread: 'task' })).toMatchObject({ status: 'done' })
  const firstWay = program()
  expect(firstWay['src/median.mjs']).toContain('numbers.sort((a, b) => a - b)')
  // The input is still sorted in place: one test fails.
  expect(await returned('task', 'bash')).toMatchObject([{ exitCode: 1 }])
  expect(JSON.stringify(await returned('task', 'grep'))).toContain('test/median.test.mjs')

  const turns = await turnsOf(journal, 'task')
  const edited = turns.find(({ turn }) => turn === looking.length + 1)
  const end = (await eventsOf(journal, 'task')).length
  const fork = await coder([]).rewind(`task@${edited?.from}`, {
    thread: 'again',
    effects: 'live',
    edit: { kind: 'input', input: 'Leave the input alone.' },
  })
  expect(fork).toMatchObject({ conflicts: [], unseen: [] })
  expect(program()).toEqual(before)

  await coder([second, runTests]).resume('again').result()
  const secondWay = program()
  expect(secondWay['src/median.mjs']).toContain('[...numbers].sort(')
  expect((await returned('again', 'bash')).at(-1)).toMatchObject({ exitCode: 0 })

  await coder([]).rewind(`task@${end}`, { thread: 'back', from: 'again' })
  expect(program()).toEqual(firstWay)
  const ends = (await eventsOf(journal, 'again')).length
  await coder([]).rewind(`again@${ends}`, { thread: 'forth', from: 'back' })
  expect(program()).toEqual(secondWay)
}, 60_000)
