/** What the file tools record of the files that they change (CHANGED-1, CHANGE-1). */
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { noted, withChanges } from '@loom-agent/agent/kit'
import type { EventOf, EventType, Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { type FileToolsOptions, fileTools } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let journal: Journal
beforeEach(() => {
  world = makeWorld()
  journal = memoryJournal()
})
afterEach(() => world.remove())

const sha = (content: string): string => createHash('sha256').update(content).digest('hex')
const put = (name: string, content: string): void => writeFileSync(world.inRoot(name), content)

/** Makes calls, one a turn; returns what was recorded of a type. */
async function record<T extends EventType>(type: T, calls: readonly (readonly [string, object])[], options: Partial<FileToolsOptions> = {}) {
  const model = scriptedModel([...calls.map(([name, input]) => ({ calls: [{ tool: name, input: input as never }] })), 'Done.'])
  const tools = fileTools({ root: world.root, ...options })
  await agent({ name: 'a', model, journal, tools, permissions: { '*': 'allow' } }).run('Go.', { thread: 't' })
  const events = await eventsOf(journal, 't')
  assertHistory(events)
  return events.filter((event) => event.type === type).map(({ data }) => data as EventOf<T>['data'])
}

describe('the facts of a change', () => {
  test('are recorded before it is made, and with its result, by their hashes alone', async () => {
    put('a.txt', 'one')
    chmodSync(world.inRoot('a.txt'), 0o640)
    const calls = [
      ['edit', { path: './a.txt', edits: [{ old: 'one', new: 'two' }] }],
      ['write_file', { path: 'sub/b.txt', content: 'b' }],
      ['delete_file', { path: 'a.txt' }],
    ] as const
    const files = [
      [{ path: 'a.txt', before: sha('one'), after: sha('two'), modes: [0o640, 0o640] }],
      [{ path: 'sub/b.txt', before: null, after: sha('b') }],
      [{ path: 'a.txt', before: sha('two'), after: null, modes: [0o640, null] }],
    ]
    const finished = await record('tool.finished', calls)
    expect(finished.map((data) => data.files)).toEqual(files)
    const applied = (await eventsOf(journal, 't')).flatMap((event) => (event.type === 'tool.step-started' ? [event.data] : []))
    expect(applied.map((data) => data.files)).toEqual(files)
    expect(applied.flatMap((data) => data.contents ?? [])).toEqual([])
    expect(await journal.blobNames('t')).toEqual([])
  })

  test('name the workspace, unless it has the usual name', async () => {
    const [first] = await record('tool.finished', [['write_file', { path: 'a', content: 'x' }]], { name: 'site' })
    expect(first?.files).toEqual([{ path: 'a', before: null, after: sha('x'), workspace: 'site' }])
  })

  test('say nothing of a call that changed nothing, or was refused', async () => {
    put('a.txt', 'same')
    const calls = [
      ['write_file', { path: 'a.txt', content: 'same' }],
      ['edit', { path: 'a.txt', edits: [{ old: 'not there', new: 'x' }] }],
    ] as const
    const finished = await record('tool.finished', calls)
    expect(finished).toHaveLength(2)
    for (const data of finished) expect(data).not.toHaveProperty('files')
  })

  test('a change that is refused at the last moment is none: its step has an error', async () => {
    put('a.txt', 'one')
    const { append } = journal
    const edited: Journal = {
      ...journal,
      append(thread, batch) {
        if (batch.events.some(({ type, data }) => type === 'tool.step-started' && data.key === 'step:apply:1')) put('a.txt', "a person's words")
        return append(thread, batch)
      },
    }
    journal = edited
    const calls = [['write_file', { path: 'a.txt', content: 'two' }]] as const
    expect(await record('tool.step-finished', calls)).toMatchObject([
      { key: 'step:plan:1' },
      { key: 'step:apply:1', error: { message: expect.stringContaining('changed by somebody else') } },
    ])
    const [finished] = (await eventsOf(journal, 't')).filter(({ type }) => type === 'tool.finished')
    expect(finished?.data).toMatchObject({ status: 'error', output: { value: expect.stringContaining('changed by somebody else') } })
    expect(finished?.data).not.toHaveProperty('files')
  })
})

describe('with snapshots', () => {
  const blobs = async (): Promise<readonly string[]> => {
    const names = await journal.blobNames('t')
    return Promise.all(names.map(async (name) => new TextDecoder().decode(await journal.blob(name))))
  }

  test('the contents before and after are in the journal, once, with the step', async () => {
    put('a.txt', 'one')
    const calls = [
      ['write_file', { path: 'a.txt', content: 'two' }],
      ['edit', { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] }],
    ] as const
    const steps = await record('tool.step-started', calls, { workspace: 'snapshots' })
    expect(steps.map(({ contents }) => contents)).toEqual([
      [
        { $blob: sha('one'), bytes: 3 },
        { $blob: sha('two'), bytes: 3 },
      ],
      [
        { $blob: sha('two'), bytes: 3 },
        { $blob: sha('three'), bytes: 5 },
      ],
    ])
    expect([...(await blobs())].sort()).toEqual(['one', 'three', 'two'])
  })

  test('what may be a secret is not kept', async () => {
    put('.env', 'KEY=before')
    const model = scriptedModel([{ calls: [{ tool: 'write_file', input: { path: '.env', content: 'KEY=after' } }] }, 'Done.'])
    const approving = agent({
      name: 'b',
      model,
      journal,
      tools: fileTools({ root: world.root, workspace: 'snapshots' }),
      onQuestion: () => ({ answer: { kind: 'approve' } }),
    })
    await approving.run('Go.', { thread: 'u' })
    const started = (await eventsOf(journal, 'u')).flatMap((event) => (event.type === 'tool.step-started' ? [event.data] : []))
    expect(started).toMatchObject([{ files: [{ path: '.env', before: sha('KEY=before'), after: sha('KEY=after') }] }])
    expect(started[0]).not.toHaveProperty('contents')
    expect(await journal.blobNames('u')).toEqual([])
  })

  test('a content of more than 4 MiB is not kept, and its hash is', async () => {
    const big = 'x'.repeat(4 * 1024 * 1024 + 1)
    put('a.txt', big)
    const [step] = await record('tool.step-started', [['delete_file', { path: 'a.txt' }]], { workspace: 'snapshots' })
    expect(step?.files).toMatchObject([{ before: sha(big), after: null }])
    expect(step).not.toHaveProperty('contents')
  })
})

describe('what a body says that it has changed', () => {
  const facts = {
    files: [{ path: 'a', before: null, after: sha('x') }],
    kept: new Map([[sha('x'), new TextEncoder().encode('x')]]),
    unseen: 'a bound',
  }
  const run = async (body: () => unknown) => {
    const model = scriptedModel([{ calls: [{ tool: 'change', input: {} }] }, 'Done.'])
    await agent({ name: 'a', model, journal, tools: { change: tool({ name: 'change', run: body }) } }).run('Go.', { thread: 't' })
    const [finished] = (await eventsOf(journal, 't')).flatMap((event) => (event.type === 'tool.finished' ? [event.data] : []))
    return finished
  }
  const recorded = { files: facts.files, contents: [{ $blob: sha('x'), bytes: 1 }], unseen: 'a bound' }

  test.each<[string, () => unknown, object]>([
    ['returned', () => withChanges('done', facts), { status: 'success', output: { type: 'text', value: 'done' } }],
    ['returned with notes', () => noted(withChanges('done', facts), { more: 1 }), { status: 'success', meta: { more: 1 } }],
    ['noted before', () => withChanges(noted('done', { more: 1 }), facts), { status: 'success', meta: { more: 1 } }],
    ['returned as an error', () => withChanges(new Error('half way'), facts), { status: 'error' }],
    [
      'thrown',
      () => {
        throw withChanges(new Error('half way'), facts)
      },
      { status: 'error', output: { type: 'error', value: expect.stringContaining('half way') } },
    ],
  ])('%s is recorded with its result, and no model reads it', async (_, body, outcome) => {
    const finished = await run(body)
    expect(finished).toMatchObject({ ...recorded, ...outcome })
    expect(JSON.stringify(finished?.output)).not.toContain(sha('x'))
    expect(await journal.blob(sha('x'))).toEqual(new TextEncoder().encode('x'))
  })

  test('data with the same fields is data', async () => {
    const finished = await run(() => JSON.parse(JSON.stringify({ value: 'done', changed: facts, files: facts.files })) as unknown)
    expect(finished).not.toHaveProperty('files')
    expect(finished?.output).toMatchObject({ type: 'json', value: { value: 'done' } })
  })
})
