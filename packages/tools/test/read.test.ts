/** Reading other encodings, images, parts of large files, and lines with numbers. */
import { truncateSync, writeFileSync } from 'node:fs'
import { agent } from '@loom-agent/agent'
import { isContent } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld({ maxMediaBytes: 1000 })
})
afterEach(() => world.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)
const put = (name: string, content: string | Uint8Array): void => writeFileSync(world.inRoot(name), content)
const read = (path: string, more: object = {}): Promise<unknown> => world.call('read_file', { path, ...more })

test('UTF-16 is decoded by its mark, and said; the mark itself is no text', async () => {
  put('le.txt', Buffer.from('\ufeffgrün\r\n字', 'utf16le'))
  put('be.txt', Buffer.from('\ufeffgrün', 'utf16le').swap16())
  put('utf8.txt', '\ufeffgrün')
  expect(await read('le.txt')).toBe('grün\r\n字\n[decoded as UTF-16LE]')
  expect(await read('be.txt')).toBe('grün\n[decoded as UTF-16BE]')
  expect(await read('utf8.txt')).toBe('grün')
})

test('bytes that are no UTF-8 are decoded as Latin-1, and said, wherever they stand', async () => {
  put('a.txt', Buffer.from('grün', 'latin1'))
  put('late.txt', Buffer.concat([Buffer.from('x\n'.repeat(70_000)), Buffer.from('grün\n', 'latin1')]))
  expect(await read('a.txt')).toBe('grün\n[decoded as Latin-1: it is not UTF-8]')
  expect(await read('late.txt', { offset: 70_001 })).toContain('grün\n[lines 70001-70001 of 70001]\n[decoded as Latin-1')
})

test('a NUL far behind the start makes a file binary', async () => {
  put('late.bin', Buffer.concat([Buffer.from('x\n'.repeat(70_000)), Buffer.from([0])]))
  expect(message(await read('late.bin'))).toContain('late.bin is binary')
})

test('an image is a part that the model can look at; one that is too large is refused', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  put('a.txt', png)
  put('big.png', Buffer.concat([png, Buffer.alloc(2000)]))
  expect(isContent(await read('a.txt'))).toBe(true)
  expect(message(await read('big.png'))).toContain('1000 can be shown')
  const model = scriptedModel([{ calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] }, 'A dot.'])
  await agent({ model, tools: fileTools({ root: world.root }) }).run('Look at it.')
  const shown = JSON.stringify(model.requests[1]?.prompt.at(-1))
  expect(shown).toContain('image/png')
  expect(shown).toContain(png.toString('base64'))
})

test.each([
  ['jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['gif', [...Buffer.from('GIF89a')]],
  ['webp', [...Buffer.from('RIFF1234WEBPVP8 ')]],
])('%s is recognised by its first bytes', async (type, head) => {
  put('a', new Uint8Array([...head, 0, 0, 0]))
  expect(JSON.stringify(await read('a'))).toContain(`image/${type}`)
})

test('lines come with their numbers where that is asked for, within the bound of bytes', async () => {
  put('a.txt', 'one\ntwo\nthree\n')
  expect(await read('a.txt', { numbers: true, offset: 2 })).toBe('2\ttwo\n3\tthree\n[lines 2-3 of 3]')
  const small = makeWorld({ maxReadBytes: 10 })
  writeFileSync(small.inRoot('a.txt'), 'aaa\nbbb\nccc\n')
  expect(await small.call('read_file', { path: 'a.txt', numbers: true })).toBe('1\taaa\n[lines 1-1 of 3; read on with offset 2]')
  small.remove()
})

test('lines far behind the start of a large file are found without reading what follows them', async () => {
  const lineBytes = 1024
  const lines = 30 * lineBytes
  put('huge.log', `${`${'x'.repeat(lineBytes - 1)}\n`.repeat(lines - 1)}${'the line'.padEnd(lineBytes - 1)}\n`)
  // What follows is a hole as big as a disk: reading it would take hours, and it is no text.
  truncateSync(world.inRoot('huge.log'), 2 ** 40)
  expect(await read('huge.log', { offset: lines, limit: 1 })).toMatch(/^the line +\n\[lines 30720-30720 of more than \d+; read on/)
})
