/** The file tools in ordinary use. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { idle } from '../../../test/support/event-loop.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld({ maxReadBytes: 1000, maxLines: 50, maxEntries: 5 })
})
afterEach(() => world.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)
const put = (name: string, content: string | Uint8Array): void => writeFileSync(world.inRoot(name), content)

describe('read_file', () => {
  test('a small file is its text and nothing else', async () => {
    put('a.txt', 'one\r\ntwo\n')
    expect(await world.call('read_file', { path: './x/../a.txt' })).toBe('one\r\ntwo\n')
  })

  test('an empty file is an empty text', async () => {
    put('a.txt', '')
    expect(await world.call('read_file', { path: 'a.txt' })).toBe('')
  })

  test('some lines come with their numbers, the count of all, and where to read on', async () => {
    put('a.txt', 'one\ntwo\nthree\nfour')
    expect(await world.call('read_file', { path: 'a.txt', offset: 2, limit: 2 })).toBe('two\nthree\n[lines 2-3 of 4; read on with offset 4]')
    expect(await world.call('read_file', { path: 'a.txt', offset: 4 })).toBe('four\n[lines 4-4 of 4]')
  })

  test('reading on by the offsets gives every line once', async () => {
    const lines = Array.from({ length: 333 }, (_, index) => `line ${index} ${'字'.repeat(index % 17)}`)
    put('a.txt', lines.join('\n'))
    const seen: string[] = []
    for (let offset = 1; offset > 0; ) {
      const text: string = String(await world.call('read_file', { path: 'a.txt', offset }))
      const end = text.lastIndexOf('\n[')
      seen.push(...text.slice(0, end).split('\n'))
      offset = Number(/offset (\d+)/.exec(text.slice(end))?.[1] ?? 0)
    }
    expect(seen).toEqual(lines)
  })

  test('a line that is too long is cut at a whole character, and says so', async () => {
    put('a.txt', `${'字'.repeat(1000)}\nlast`)
    const text = String(await world.call('read_file', { path: 'a.txt' }))
    expect(text.startsWith('字'.repeat(333))).toBe(true)
    expect(text).toContain('[line 1 of 2 is longer than can be shown and is cut here; read on with offset 2]')
    expect(text).not.toContain('\uFFFD')
  })

  test('an offset past the end says how many lines there are', async () => {
    put('a.txt', 'one\ntwo\n')
    expect(message(await world.call('read_file', { path: 'a.txt', offset: 3 }))).toBe('a.txt has 2 lines; offset 3 is past its end.')
  })

  test('a binary file is refused, by its NULs and by control characters in what is no UTF-8', async () => {
    put('a.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]))
    put('b.txt', new Uint8Array([0x61, 0xff, 0xfe, 0x01, 0x62]))
    for (const path of ['a.png', 'b.txt']) expect(message(await world.call('read_file', { path }))).toContain(`${path} is binary`)
  })

  test('a huge file is not read to its end', async () => {
    put('huge.log', 'first line\n')
    writeFileSync(world.inRoot('huge.log'), 'x\n'.repeat(9 * 1024 * 1024))
    const text = String(await world.call('read_file', { path: 'huge.log', limit: 2 }))
    expect(text).toMatch(/^x\nx\n\[lines 1-2 of more than \d+; read on with offset 3\]$/)
  })

  test('a file of holes as big as a disk is refused as binary at once', async () => {
    put('sparse', '')
    truncateSync(world.inRoot('sparse'), 2 ** 40)
    expect(message(await world.call('read_file', { path: 'sparse' }))).toContain('binary')
  })

  test('a name that is almost right is suggested', async () => {
    mkdirSync(world.inRoot('docs'))
    put('docs/notes.txt', 'x')
    expect(message(await world.call('read_file', { path: 'docs/Note.txt' }))).toBe('There is no docs/Note.txt. Did you mean "docs/notes.txt"?')
    expect(message(await world.call('read_file', { path: 'docs/quite-other.md' }))).toContain('List its folder')
  })

  test('a folder is refused with the tool to use instead', async () => {
    mkdirSync(world.inRoot('docs'))
    expect(message(await world.call('read_file', { path: 'docs' }))).toBe('docs is a folder. Use list for folders.')
  })

  test('an abort is an abort and no refusal', async () => {
    put('a.txt', 'x')
    const said = await world.call('read_file', { path: 'a.txt' }, { signal: AbortSignal.abort(new Error('enough')) })
    expect(message(said)).toBe('enough')
  })
})

describe('write_file', () => {
  test('makes the folders, writes the text and counts its bytes', async () => {
    expect(await world.call('write_file', { path: 'a/b/c.txt', content: '字 x' })).toMatchObject({ path: 'a/b/c.txt', bytes: 5, status: 'created' })
    expect(readFileSync(world.inRoot('a', 'b', 'c.txt'), 'utf8')).toBe('字 x')
  })

  test('written twice it is the same file, with the rights it had, and nothing else is left', async () => {
    put('a.sh', 'old')
    chmodSync(world.inRoot('a.sh'), 0o750)
    expect(await world.call('write_file', { path: 'a.sh', content: 'new' })).toMatchObject({ path: 'a.sh', bytes: 3, status: 'overwritten' })
    expect(await world.call('write_file', { path: 'a.sh', content: 'new' })).toEqual({ path: 'a.sh', bytes: 3, status: 'unchanged', files: [] })
    expect(readFileSync(world.inRoot('a.sh'), 'utf8')).toBe('new')
    expect(statSync(world.inRoot('a.sh')).mode & 0o777).toBe(0o750)
    expect(readdirSync(world.root)).toEqual(['a.sh'])
  })

  test('more than is allowed is refused and nothing is changed', async () => {
    const small = makeWorld({ maxWriteBytes: 3 })
    expect(message(await small.call('write_file', { path: 'a.txt', content: 'four' }))).toContain('4 bytes; 3 are allowed')
    expect(readdirSync(small.root)).toEqual([])
    small.remove()
  })

  test('more than 256 KiB is refused by default, though the arguments of the call are short enough', async () => {
    const content = '字'.repeat(100_000)
    const model = scriptedModel([{ calls: [{ tool: 'write_file', input: { path: 'a.txt', content } }] }, 'Too long.'])
    await agent({ model, tools: fileTools({ root: world.root }), permissions: { write_file: 'allow' } }).run('Write it.')
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain('300000 bytes; 262144 are allowed')
    expect(readdirSync(world.root)).toEqual([])
  })

  test('an abort before the file is in place leaves the old file and nothing beside it', async () => {
    put('a.txt', 'old')
    const said = await world.call('write_file', { path: 'a.txt', content: 'new' }, { signal: AbortSignal.abort(new Error('enough')) })
    expect(message(said)).toBe('enough')
    expect(readFileSync(world.inRoot('a.txt'), 'utf8')).toBe('old')
    expect(readdirSync(world.root)).toEqual(['a.txt'])
  })

  test('what a crash left beside the file is removed by the same call run again, and is never listed', async () => {
    await world.call('write_file', { path: 'probe.txt', content: 'x' }, { key: 'crashed' })
    const writer = spawn(process.execPath, ['--conditions=loom-source', '-e', endlessWriter, world.root])
    await new Promise((done) => writer.stdout.once('data', done))
    writer.kill('SIGKILL')
    await new Promise((done) => writer.once('exit', done))
    await world.call('write_file', { path: 'big.txt', content: 'done' }, { key: 'same' })
    expect(readFileSync(world.inRoot('big.txt'), 'utf8')).toBe('done')
    expect(readdirSync(world.root).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('a process that is killed at any time leaves the old text or the new one, never a part', async () => {
    for (let round = 0; round < 6; round += 1) {
      const writer = spawn(process.execPath, ['--conditions=loom-source', '-e', endlessWriter, world.root])
      await new Promise((done) => writer.stdout.once('data', done))
      await idle(100 * round)
      writer.kill('SIGKILL')
      await new Promise((done) => writer.once('exit', done))
      const text = readFileSync(world.inRoot('big.txt'), 'utf8')
      expect([text.length, new Set(text).size]).toEqual([200_000, 1])
    }
    expect(await world.call('list', {})).toBe('big.txt')
  })
})

/** Writes two texts in turn, for ever, and reports after the first. */
const endlessWriter = `
  import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}).then(async ({ fileTools }) => {
    const { write_file } = fileTools({ root: process.argv[1] })
    const signal = new AbortController().signal
    const context = { signal, step: async (name, run) => run({ key: 'same ' + name, signal }) }
    for (let turn = 0; ; turn += 1) {
      await write_file.definition.run({ path: 'big.txt', content: (turn % 2 ? 'a' : 'b').repeat(200_000) }, context)
      if (turn === 0) process.stdout.write('go')
    }
  })
`

describe('list', () => {
  test('is sorted, marks folders, and ends with a note when it is cut', async () => {
    for (const name of ['b.txt', 'a.txt', 'Z.txt']) put(name, '')
    mkdirSync(world.inRoot('dir'))
    put('dir/x.txt', '')
    expect(await world.call('list', {})).toBe('Z.txt\na.txt\nb.txt\ndir/')
    expect(await world.call('list', { recursive: true })).toBe('Z.txt\na.txt\nb.txt\ndir/\ndir/x.txt')
    expect(await world.call('list', { limit: 2 })).toBe('Z.txt\na.txt\n[the first 2 entries; there are more: list a folder below, or raise limit]')
    expect(await world.call('list', { path: 'dir' })).toBe('x.txt')
  })

  test('an empty folder is said to be empty', async () => {
    expect(await world.call('list', { path: '.' })).toBe('The folder is empty.')
  })

  test('a recursive listing names history and packages and does not enter them', async () => {
    mkdirSync(world.inRoot('.git', 'objects'), { recursive: true })
    mkdirSync(world.inRoot('node_modules', 'x'), { recursive: true })
    expect(await world.call('list', { recursive: true })).toBe('.git/ (not entered)\nnode_modules/ (not entered)')
  })

  test('a file is refused with the tool to use instead', async () => {
    put('a.txt', '')
    expect(message(await world.call('list', { path: 'a.txt' }))).toBe('a.txt is a file, not a folder. Use read_file for files.')
  })
})

test('a root that does not exist is refused when it is used', async () => {
  const { read_file } = fileTools({ root: join(world.root, 'missing') })
  const said = await toolDefinitionOf(read_file).run({ path: 'a.txt' }, { signal: new AbortController().signal } as never)
  expect(message(said)).toContain('root folder of this tool does not exist')
})

test('invalid options are refused when the tools are made', () => {
  expect(() => fileTools({ root: '' })).toThrow('root is "". Give the path of a folder.')
  expect(() => fileTools({ root: '.', maxLines: 0 })).toThrow('maxLines is 0. Give a whole number of at least 1.')
  expect(() => fileTools({ root: '.', protec: [] } as object as Parameters<typeof fileTools>[0])).toThrow('Did you mean "protect"?')
})
