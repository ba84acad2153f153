/** Attacks on rewinds and on what is recorded of files (PUTBACK-1 to PUTBACK-4, REWIND-1, NET-1, WATCH-2, CHANGED-1). */
import { execFile } from 'node:child_process'
import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { agent, type Tool, tool } from '@loom-agent/agent'
import { type ChangedFiles, withChanges } from '@loom-agent/agent/kit'
import { exportThread, importThread } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { FileChange } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools, workspace } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedCall, sha, type WorkspaceWorld, workspaceWorld } from '../../packages/tools/test/workspace-world.ts'
import { makeWorld } from '../../packages/tools/test/world.ts'
import { noteFigure } from './figure.ts'
import { pathForms } from './path-corpus.ts'

const secret = 'the-secret-outside'
let world: WorkspaceWorld
let outside: string
beforeEach(() => {
  world = workspaceWorld()
  outside = join(world.base, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), secret)
})
afterEach(() => world.remove())

const write = (path: string, content: string): ScriptedCall => ['write_file', { path, content }]
const isSafe = (): boolean => readFileSync(join(outside, 'secret.txt'), 'utf8') === secret
const bytesOf = async (thread: string): Promise<string> => {
  const blobs = await Promise.all((await world.journal.blobNames(thread)).map((name) => world.journal.blob(name)))
  return blobs.map((bytes) => Buffer.from(bytes ?? []).toString('latin1')).join('\n')
}
/** A tool that says of itself what it has changed, as a malicious package could. */
const stating = (changed: ChangedFiles): Tool => tool({ name: 'state', run: () => withChanges('done', changed) })
const rewind = (at: string): ReturnType<ReturnType<WorkspaceWorld['agentFor']>['rewind']> => world.agentFor([]).rewind(at)

describe('a rewind leaves the root in no form of a path', () => {
  const forms = pathForms.filter(({ expect: outcome }) => outcome === 'refused')

  it('in at least 150 forms', () => {
    expect(forms.length).toBeGreaterThanOrEqual(150)
    noteFigure({ what: 'forms of paths that a rewind is to write to outside of the folder', tried: forms.length, wrong: 0 })
  })

  it.each(forms.map((form) => [form.name, form] as const))('%s', async (_, { path: given, arrange }) => {
    const place = makeWorld()
    try {
      arrange?.(place)
      const files = workspace({ root: place.root })
      const path = typeof given === 'string' ? given : given(place)
      const before = place.around()
      // A link is looked at itself, whatever it leads to.
      const now = await files.look(path)
      if ('hash' in now) expect(now.mode).toBe('link')
      const changes = [null, sha(secret)].map((hash) => ({ path, before: hash, after: sha('evil') }))
      for (const change of changes) expect(await files.put({ change, content: Buffer.from('evil'), key: 'k' })).toBeDefined()
      expect(await files.put({ change: { path, before: sha(secret), after: null }, content: null, key: 'k' })).toBeDefined()
      expect(place.around()).toBe(before)
    } finally {
      place.remove()
    }
  })
})

describe('a rewind goes through no link', () => {
  it.each([
    ['outside', () => outside],
    ['inside', () => join(world.root, 'other')],
  ])('that has taken the place of a folder, and leads %s', async (_, target) => {
    world.put('sub/secret.txt', 'one')
    world.put('other/secret.txt', 'two')
    const start = await world.run('t', [])
    await world.run('t', [write('sub/secret.txt', 'two'), write('sub/new/made.txt', 'x')])
    rmSync(join(world.root, 'sub'), { recursive: true })
    symlinkSync(target(), join(world.root, 'sub'))
    writeFileSync(join(outside, 'secret.txt'), 'two')
    const { conflicts, files } = await rewind(`t@${start}`)
    expect(files).toEqual([])
    expect(conflicts.map(({ path, reason }) => [path, reason])).toContainEqual(['sub/secret.txt', 'refused'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('two')
    expect(readFileSync(join(world.root, 'other', 'secret.txt'), 'utf8')).toBe('two')
  })

  it('that has taken the place of a file', async () => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', secret)])
    rmSync(join(world.root, 'a.txt'))
    symlinkSync(join(outside, 'secret.txt'), join(world.root, 'a.txt'))
    const { conflicts } = await rewind(`t@${start}`)
    expect(conflicts).toMatchObject([{ path: 'a.txt', reason: 'edited' }])
    expect(isSafe()).toBe(true)
    expect(lstatSync(join(world.root, 'a.txt')).isSymbolicLink()).toBe(true)
  })

  it('that waits under the name of its temporary file, and none that is made between two looks', async () => {
    world.put('a.txt', 'one')
    const change: FileChange = { path: 'a.txt', before: sha('one'), after: sha('two') }
    const { leftoverOf } = await import('../../packages/tools/src/files/replace-file.ts')
    symlinkSync(join(outside, 'secret.txt'), join(world.root, leftoverOf('k', 'a.txt')))
    expect(await world.files.put({ change, content: Buffer.from('two'), key: 'k' })).toBeUndefined()
    expect(isSafe()).toBe(true)
    expect(world.contents()).toEqual({ 'a.txt': 'two' })
  })

  it('and writes through no second name of a file', async () => {
    linkSync(join(outside, 'secret.txt'), join(world.root, 'a.txt'))
    const change: FileChange = { path: 'a.txt', before: sha(secret), after: sha('evil') }
    expect(await world.files.put({ change, content: Buffer.from('evil'), key: 'k' })).toBeUndefined()
    expect(isSafe()).toBe(true)
  })

  it.each(['/etc/passwd', '../outside/secret.txt', 'sub/../../outside', '..', ''])('nor makes one that leads to %s', async (to) => {
    const change: FileChange = { path: 'link', before: null, after: sha(to), modes: [null, 'link'] }
    expect((await world.files.put({ change, content: Buffer.from(to), key: 'k' }))?.reason).toBe('refused')
    expect(world.contents()).toEqual({})
  })
})

describe('a rewind touches nothing that is protected', () => {
  it.each(['.env', 'sub/.ENV', '.git/hooks/pre-commit', '.git/config', 'id_rsa'])('%s, whatever is recorded of it', async (path) => {
    world.put(path, 'two')
    const facts = { files: [{ path, before: sha('one'), after: sha('two') }], kept: new Map([[sha('one'), Buffer.from('one')]]) }
    const start = await world.run('t', [])
    await world.run('t', [['state', {}]], { state: stating(facts) })
    const { conflicts } = await rewind(`t@${start}`)
    expect(conflicts).toMatchObject([{ path, reason: 'refused', detail: expect.stringContaining('protected') }])
    expect(world.contents()).toEqual({ [path]: 'two' })
  })

  it.each([
    ['a database', 'data.bin', 'SQLite format 3\0and more'],
    ['a thread', 'thread.jsonl', '{"loom":"thread"}'],
    ['the log of a database', 'loom.db-wal', 'log'],
  ])('%s, as journals are', async (_, path, content) => {
    world.put(path, content)
    const facts = { files: [{ path, before: sha('evil'), after: sha(content) }], kept: new Map([[sha('evil'), Buffer.from('evil')]]) }
    const start = await world.run('t', [])
    await world.run('t', [['state', {}]], { state: stating(facts) })
    expect((await rewind(`t@${start}`)).conflicts).toMatchObject([{ path, reason: 'refused' }])
    expect(world.contents()).toEqual({ [path]: content })
  })
})

describe('a rewind overwrites nobody', () => {
  it.each(['since', 'between two changes'])('who has edited %s', async (when) => {
    world.put('a.txt', 'one')
    const start = await world.run('t', [])
    await world.run('t', [write('a.txt', 'two')])
    world.put('a.txt', "two, and a person's words")
    if (when !== 'since') await world.run('t', [['edit', { path: 'a.txt', edits: [{ old: 'two', new: 'three' }] }]])
    const before = world.contents()
    expect(before['a.txt']).toContain("a person's words")
    expect((await rewind(`t@${start}`)).conflicts).toMatchObject([{ path: 'a.txt', reason: when === 'since' ? 'edited' : 'mixed' }])
    expect(world.contents()).toEqual(before)
  })

  it('whose edit comes between the plan and its end', async () => {
    world.put('a.txt', 'theirs')
    const change: FileChange = { path: 'a.txt', before: sha('two'), after: sha('one') }
    expect(await world.files.put({ change, content: Buffer.from('one'), key: 'k' })).toMatchObject({ reason: 'edited', found: sha('theirs') })
    expect(await world.files.put({ change: { ...change, after: null }, content: null, key: 'k' })).toMatchObject({ reason: 'edited' })
    expect(world.contents()).toEqual({ 'a.txt': 'theirs' })
  })
})

describe('what is recorded', () => {
  const look = (): Promise<number> => {
    const run = (): void => {
      world.put('.env', `KEY=${secret}, changed`)
      world.put('a.txt', 'changed')
    }
    return world.run('t', [['change', {}]], { change: world.files.watching(tool({ name: 'change', run })) })
  }

  it('has no byte of a secret, of a place that a link leads to, or of a journal', async () => {
    world.put('.env', `KEY=${secret}`)
    symlinkSync(outside, join(world.root, 'dir'))
    symlinkSync(join(outside, 'secret.txt'), join(world.root, 'file'))
    const journal = sqlite(join(world.root, 'loom.db'))
    await agent({ name: 'x', model: scriptedModel([`It is ${secret}.`]), journal }).run('Hello.')
    await look()
    await world.run('t', [write('.env', 'KEY=other')], fileTools({ root: world.root, workspace: 'snapshots', protect: { code: [] } }))
    await journal.close()
    const paths = (await world.recorded('t', 'tool.finished')).flatMap(({ files = [] }) => files.map(({ path }) => path))
    expect(paths).toContain('a.txt')
    expect(paths.filter((path) => path.startsWith('loom.db'))).toEqual([])
    expect(await bytesOf('t')).not.toContain(secret)
    expect(await bytesOf('t')).toContain('changed')
  })

  it('has no secret that a file tool has changed', async () => {
    world.put('.env', `KEY=${secret}`)
    const asking = world.agentFor([write('.env', 'KEY=other')], { onQuestion: () => ({ answer: { kind: 'approve' } }) })
    await asking.run('Go.', { thread: 't' })
    expect(world.contents()['.env']).toBe('KEY=other')
    expect(await bytesOf('t')).not.toContain(secret)
  })

  it('is no data that looks like it', async () => {
    const looksLike = {
      value: 'x',
      changed: { files: [{ path: 'a.txt', before: null, after: sha('x') }] },
      files: [{ path: 'a.txt', before: null, after: sha('x') }],
    }
    world.put('a.txt', 'x')
    const start = await world.run('t', [])
    await world.run('t', [['state', {}]], { state: tool({ name: 'state', run: () => looksLike }) })
    expect(await world.recorded('t', 'tool.finished')).toEqual([expect.not.objectContaining({ files: expect.anything() })])
    await rewind(`t@${start}`)
    expect(world.contents()).toEqual({ 'a.txt': 'x' })
  })

  it('gives nobody the bytes of another thread by their name', async () => {
    world.put('b.txt', secret)
    await world.run('other', [write('b.txt', 'x')])
    world.put('a.txt', 'now')
    const start = await world.run('t', [])
    await world.run('t', [['state', {}]], { state: stating({ files: [{ path: 'a.txt', before: sha(secret), after: sha('now') }] }) })
    expect((await rewind(`t@${start}`)).conflicts).toMatchObject([{ path: 'a.txt', reason: 'not-kept' }])
    expect(world.contents()['a.txt']).toBe('now')
  })

  it('in lines from outside writes no file', async () => {
    await world.run('t', [write('a.txt', 'x')])
    const lines = await Array.fromAsync(exportThread(world.journal, 't'))
    const there = workspaceWorld()
    try {
      await importThread(there.journal, lines)
      there.put('a.txt', 'x')
      await expect(there.agentFor([]).rewind('t@1')).rejects.toMatchObject({ code: 'LOOM_THREAD_QUARANTINED' })
      expect(there.contents()).toEqual({ 'a.txt': 'x' })
      expect(await there.journal.threads()).toHaveLength(1)
    } finally {
      there.remove()
    }
  })
})

describe('a person who saves a file in any moment of a rewind', () => {
  it('loses no byte of it, and nothing outside is changed (ASIDE-1)', async () => {
    const program = fileURLToPath(new URL('./rewind-people-process.ts', import.meta.url))
    const said = await promisify(execFile)(process.execPath, ['--conditions=loom-source', '--disable-warning=ExperimentalWarning', program])
    const { tried, lost } = JSON.parse(said.stdout) as { readonly tried: number; readonly lost: readonly string[] }
    expect(lost).toEqual([])
    expect(tried).toBeGreaterThan(300)
    noteFigure({ what: 'moments of a rewind in which a person saves a file, or exchanges it or its folder for a link', tried, wrong: lost.length })
  }, 120_000)
})
