/** Rare cases: leftovers of a crash, folders with thousands of files, chains of links, and the messages for errors of the file system. */
import { createHash } from 'node:crypto'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { LoomError } from '@loom-agent/kernel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refusalOf } from '../src/files/refusal.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)

test('what an earlier try of the same call left is replaced, and was never listed', async () => {
  const name = `.loom-${createHash('sha256').update('same apply').update('a.txt').digest('hex').slice(0, 24)}.tmp`
  writeFileSync(world.inRoot(name), 'half of i')
  expect(await world.call('list', {})).toBe('The folder is empty.')
  expect(await world.call('write_file', { path: 'a.txt', content: 'whole' }, { key: 'same' })).toMatchObject({ path: 'a.txt', bytes: 5 })
  expect(readdirSync(world.root)).toEqual(['a.txt'])
})

test('a folder of more than ten thousand files is listed in part, and says so; a wrong name in it is still refused', async () => {
  for (let index = 0; index <= 10_000; index += 1) writeFileSync(world.inRoot(`f${index}`), '')
  const listed = String(await world.call('list', {}))
  expect(listed).toContain('a folder has more than 10000 entries; not all of them were read')
  expect(listed.split('\n').length).toBeLessThan(210)
  expect(message(await world.call('read_file', { path: 'nothing-like-it' }))).toContain('There is no nothing-like-it')
})

test('a chain of very many links is refused', async () => {
  writeFileSync(world.inRoot('end'), 'x')
  symlinkSync('end', world.inRoot('l0'))
  for (let index = 1; index < 60; index += 1) symlinkSync(`l${index - 1}`, world.inRoot(`l${index}`))
  expect(await world.call('read_file', { path: 'l30' })).toBe('x')
  expect(message(await world.call('read_file', { path: 'l59' }))).toContain('leads to itself')
})

test('a link to nothing inside the root is refused as what it is', async () => {
  symlinkSync('missing', world.inRoot('l'))
  expect(message(await world.call('read_file', { path: 'l' }))).toBe('l is a link to something that does not exist. Give another path.')
  expect(message(await world.call('list', { path: 'l' }))).toBe('l is a link to something that does not exist. Give another path.')
})

test('a link to a file is not a folder', async () => {
  writeFileSync(world.inRoot('a.txt'), 'x')
  symlinkSync('a.txt', world.inRoot('l'))
  expect(message(await world.call('list', { path: 'l' }))).toContain('is a file, not a folder')
})

test('every fault of the file system becomes one sentence about it and one about what to do', () => {
  for (const code of ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'EROFS', 'ENOSPC', 'ENAMETOOLONG', 'EMFILE', 'EIO']) {
    const refusal = refusalOf(Object.assign(new Error('raw'), { code }), 'a.txt')
    expect(refusal.message, code).toMatch(/\. [A-Z][^.]*\.$/)
    expect(refusal.message).not.toContain('raw')
    expect(refusal.context).toEqual({ path: 'a.txt', code })
  }
  expect(refusalOf('thrown text', 'a.txt').message).toContain('unknown fault')
  const own = new LoomError('LOOM_TOOL_FAILED', 'mine')
  expect(refusalOf(own, 'a.txt')).toBe(own)
})
