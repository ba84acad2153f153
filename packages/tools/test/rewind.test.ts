/** Rewinding: files are put back as they were, and what people changed stays (REWIND-1, REWIND-2, RESTORE-1, RESTORE-2, NET-1, FILES-1). */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent } from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { modeOf, type ScriptedCall, sha, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

let world: WorkspaceWorld
beforeEach(() => {
  world = workspaceWorld()
})
afterEach(() => world.remove())

const write = (path: string, content: string): ScriptedCall => ['write_file', { path, content }]
const remove = (path: string): ScriptedCall => ['delete_file', { path }]

/** The seq of the last event of a type on a thread. */
const last = async (thread: string, type: string): Promise<number> =>
  (await eventsOf(world.journal, thread)).findLast((event) => event.type === type)?.seq ?? 0

describe('a rewind', () => {
  test('puts back what the agent edited, made and deleted, with its permissions, and is a fork', async () => {
    world.put('edited.txt', 'one', 0o640)
    world.put('deleted.sh', 'echo', 0o755)
    const start = await world.run('t', [])
    await world.run('t', [write('edited.txt', 'two'), write('sub/made.txt', 'new'), remove('deleted.sh'), write('edited.txt', 'three')])
    const rewound = await world.agentFor([]).rewind(`t@${start}`, { thread: 'f' })
    expect(world.contents()).toEqual({ 'edited.txt': 'one', 'deleted.sh': 'echo' })
    expect([modeOf(world.root, 'edited.txt'), modeOf(world.root, 'deleted.sh')]).toEqual([0o640, 0o755])
    expect(rewound).toMatchObject({ thread: 'f', from: `t@${start}`, conflicts: [], unseen: [] })
    expect(rewound.files).toEqual([
      { path: 'deleted.sh', before: null, after: sha('echo'), modes: [null, 0o755] },
      { path: 'edited.txt', before: sha('three'), after: sha('one'), modes: [0o640, 0o640] },
      { path: 'sub/made.txt', before: sha('new'), after: null, modes: [expect.any(Number), null] },
    ])
    const restored = await world.recorded('f', 'workspace.restored')
    expect(restored).toEqual([{ files: rewound.files }])
    expect((await world.recorded('t', 'thread.started')).length).toBe(1)
  })

  test('goes only as far as the moment that it is asked for', async () => {
    await world.run('t', [write('a.txt', 'one')])
    const middle = await world.run('t', [write('a.txt', 'two')])
    await world.run('t', [write('a.txt', 'three')])
    await world.agentFor([]).rewind(`t@${middle}`)
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
  })

  test('in the middle of a call undoes what its step had not done yet', async () => {
    world.put('a.txt', 'one')
    await world.run('t', [write('a.txt', 'two')])
    const begun = (await eventsOf(world.journal, 't')).find(({ type, data }) => type === 'tool.step-started' && 'files' in data)?.seq ?? 0
    await world.agentFor([]).rewind(`t@${begun}`)
    expect(world.contents()).toEqual({ 'a.txt': 'one' })
  })

  test('behind its step leaves what it has done, also before its result', async () => {
    world.put('a.txt', 'one')
    await world.run('t', [write('a.txt', 'two')])
    const rewound = await world.agentFor([]).rewind(`t@${await last('t', 'tool.step-finished')}`)
    expect(rewound.files).toEqual([])
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
  })

  test('can be followed by a run of the fork, and rewound again with its own changes', async () => {
    const start = await world.run('t', [])
    const end = await world.run('t', [write('a.txt', 'first way')])
    const { thread } = await world.agentFor([]).rewind(`t@${start}`, { thread: 'f', effects: 'live' })
    await world.agentFor([write('a.txt', 'second way'), write('b.txt', 'b')]).run('Go.', { thread })
    expect(world.contents()).toEqual({ 'a.txt': 'second way', 'b.txt': 'b' })
    // Back to the first way: the folder has the files of the fork now.
    const back = await world.agentFor([]).rewind(`t@${end}`, { from: 'f', thread: 'g' })
    expect(back.folder).toBe(`f@${(await eventsOf(world.journal, 'f')).length}`)
    expect(world.contents()).toEqual({ 'a.txt': 'first way' })
    for (const name of ['f', 'g']) assertHistory(await eventsOf(world.journal, name))
  })

  test('to another branch needs a thread that shares a past', async () => {
    const start = await world.run('t', [write('a.txt', 'x')])
    await world.run('u', [])
    await expect(world.agentFor([]).rewind(`t@${start}`, { from: 'u' })).rejects.toThrow('share no past')
    await expect(world.agentFor([]).rewind(`t@${start}`, { from: 'none' })).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })

  test('puts back what a child has changed', async () => {
    const start = await world.run('t', [])
    const child = agent({
      name: 'helper',
      model: scriptedModel([{ calls: [{ tool: 'write_file', input: { path: 'a.txt', content: 'by a child' } }] }, 'Done.']),
      tools: fileTools({ root: world.root, workspace: 'snapshots' }),
      permissions: { '*': 'allow' },
    })
    await world.agentFor([['helper', { prompt: 'Write it.' }]], { tools: [child] }).run('Go.', { thread: 't' })
    expect(world.contents()).toEqual({ 'a.txt': 'by a child' })
    const rewound = await world.agentFor([], { tools: [child] }).rewind(`t@${start}`)
    expect(rewound.files).toMatchObject([{ path: 'a.txt', after: null }])
    expect(world.contents()).toEqual({})
  })
})

describe('what people changed since', () => {
  test.each<[string, () => void, string | null]>([
    ['edited', () => world.put('a.txt', 'theirs'), 'theirs'],
    ['deleted', () => rmSync(join(world.root, 'a.txt')), null],
  ])('%s, is a conflict and stays', async (_, change, found) => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two'), write('b.txt', 'b')])
    change()
    const { conflicts, files } = await world.agentFor([]).rewind(`t@${start}`, { thread: 'f' })
    expect(conflicts).toEqual([{ path: 'a.txt', reason: 'edited', wanted: sha('one'), expected: sha('two'), found: found && sha(found) }])
    expect(files.map(({ path }) => path)).toEqual(['b.txt'])
    expect(world.contents()).toEqual(found === null ? {} : { 'a.txt': found })
    expect(await world.recorded('f', 'workspace.restored')).toEqual([{ files, conflicts }])
  })

  test('between two changes of the agent, is in neither: undoing both would undo it', async () => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two')])
    world.put('a.txt', "two, and a person's words")
    await world.run('t', [write('a.txt', 'three')])
    const { conflicts } = await world.agentFor([]).rewind(`t@${start}`)
    expect(conflicts).toMatchObject([{ path: 'a.txt', reason: 'mixed', wanted: sha('one') }])
    expect(world.contents()).toEqual({ 'a.txt': 'three' })
  })

  test('before the last change of the agent comes back with it', async () => {
    world.put('a.txt', 'one')
    const middle = await world.run('t', [write('a.txt', 'two')])
    world.put('a.txt', "a person's words")
    await world.run('t', [write('a.txt', 'three')])
    const { conflicts } = await world.agentFor([]).rewind(`t@${middle}`)
    expect(conflicts).toEqual([])
    expect(world.contents()).toEqual({ 'a.txt': "a person's words" })
  })

  test('is no conflict where it is what is wanted', async () => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two')])
    world.put('a.txt', 'one')
    expect(await world.agentFor([]).rewind(`t@${start}`)).toMatchObject({ files: [], conflicts: [] })
  })

  test('of permissions alone stays', async () => {
    world.put('a.txt', 'one', 0o644)
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two')])
    world.put('a.txt', 'two', 0o700)
    await world.agentFor([]).rewind(`t@${start}`)
    expect(world.contents()).toEqual({ 'a.txt': 'one' })
    expect(modeOf(world.root, 'a.txt')).toBe(0o700)
  })
})

describe('what is not kept', () => {
  test('is a conflict: with hashes alone only what was made can be put back', async () => {
    const hashes = workspaceWorld({ workspace: 'hashes' })
    try {
      hashes.put('a.txt', 'one')
      const start = await hashes.run('t', [])
      await hashes.run('t', [write('a.txt', 'two'), write('b.txt', 'new')])
      const { files, conflicts } = await hashes.agentFor([]).rewind(`t@${start}`)
      expect(conflicts).toEqual([{ path: 'a.txt', reason: 'not-kept', wanted: sha('one'), found: sha('two') }])
      expect(files).toMatchObject([{ path: 'b.txt', after: null }])
      expect(hashes.contents()).toEqual({ 'a.txt': 'two' })
    } finally {
      hashes.remove()
    }
  })
})

describe('the plan of a rewind', () => {
  test('says what would be put back and what would stay, and does nothing', async () => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    const end = await world.run('t', [write('a.txt', 'two'), write('b.txt', 'b')])
    world.put('b.txt', 'theirs')
    const before = world.contents()
    const plan = await world.agentFor([]).planRewind(`t@${start}`)
    expect(plan).toMatchObject({ folder: `t@${end}`, fork: { from: `t@${start}` }, unseen: [] })
    expect(plan.files).toMatchObject([{ path: 'a.txt', before: sha('two'), after: sha('one') }])
    expect(plan.conflicts).toMatchObject([{ path: 'b.txt', reason: 'edited' }])
    expect(world.contents()).toEqual(before)
    expect(await world.journal.threads()).toHaveLength(1)
  })
})

describe('a rewind that is said again', () => {
  test('is the same one: files are not put back twice', async () => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two')])
    const first = await world.agentFor([]).rewind(`t@${start}`, { thread: 'f' })
    world.put('a.txt', 'two')
    const again = await world.agentFor([]).rewind(`t@${start}`, { thread: 'f' })
    expect({ files: again.files, conflicts: again.conflicts }).toEqual({ files: first.files, conflicts: first.conflicts })
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
    expect(await world.recorded('f', 'workspace.restored')).toHaveLength(1)
  })

  test('otherwise is refused: the thread is another one', async () => {
    const start = await world.run('t', [write('a.txt', 'one')])
    const end = await world.run('t', [write('a.txt', 'two')])
    await world.agentFor([]).rewind(`t@${start}`, { thread: 'f' })
    await expect(world.agentFor([]).rewind(`t@${end}`, { thread: 'f' })).rejects.toMatchObject({ code: 'LOOM_THREAD_INVALID' })
    await world.agentFor([]).fork(`t@${start}`, { thread: 'plain' })
    await expect(world.agentFor([]).rewind(`t@${start}`, { thread: 'plain' })).rejects.toMatchObject({ code: 'LOOM_THREAD_INVALID' })
  })
})

describe('a rewind is refused', () => {
  test('without a workspace', async () => {
    const start = await world.run('t', [])
    const plain = agent({ name: 'coder', model: scriptedModel([]), journal: world.journal })
    await expect(plain.rewind(`t@${start}`)).rejects.toMatchObject({ code: 'LOOM_WORKSPACE_MISSING' })
    await expect(plain.planRewind(`t@${start}`)).rejects.toMatchObject({ code: 'LOOM_WORKSPACE_MISSING' })
  })

  test('while the agent may be changing files', async () => {
    const start = await world.run('t', [])
    const calls: ScriptedCall[] = [write('a.txt', 'x')]
    const busy = world.agentFor(calls, {
      hooks: [
        {
          async beforeToolExecution() {
            await expect(world.agentFor([]).rewind(`t@${start}`)).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
            writeFileSync(join(world.root, 'was-here'), '')
          },
        },
      ],
    })
    await busy.run('Go.', { thread: 't' })
    expect(world.contents()).toHaveProperty('was-here')
  })

  test('with options that it does not know', async () => {
    const start = await world.run('t', [])
    await expect(world.agentFor([]).rewind(`t@${start}`, { form: 'x' } as never)).rejects.toMatchObject({ code: 'LOOM_OPTION_UNKNOWN' })
    expect(() => world.agentFor([], { workspace: { name: 'x' } as never })).toThrow('workspace')
  })
})
