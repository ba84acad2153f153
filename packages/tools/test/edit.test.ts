/** Editing and deleting files, the versions that are expected, and the facts that results carry (EDIT-1, EDIT-2, ENCODING-1, CHANGE-1). */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Replacement, replaceAll } from '../src/files/edit-text.ts'
import { decodeText, encodeText } from '../src/files/text-file.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)
const put = (name: string, content: string | Uint8Array): void => writeFileSync(world.inRoot(name), content)
const bytes = (name: string): Buffer => readFileSync(world.inRoot(name))
const text = (name: string): string => bytes(name).toString('utf8')
const sha = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
const edit = (path: string, ...edits: readonly Replacement[]): Promise<unknown> => world.call('edit', { path, edits })

describe('edit', () => {
  test('replaces a passage that stands there once, and returns the difference and the versions', async () => {
    put('a.txt', 'one\ntwo\nthree\n')
    chmodSync(world.inRoot('a.txt'), 0o640)
    const result = await edit('a.txt', { old: 'two', new: 'zwei' })
    const files = [{ path: 'a.txt', before: sha('one\ntwo\nthree\n'), after: sha('one\nzwei\nthree\n') }]
    expect(result).toEqual({ path: 'a.txt', diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n', files })
    expect(world.changed()).toEqual({ files: files.map((file) => ({ ...file, modes: [0o640, 0o640] })) })
    expect(text('a.txt')).toBe('one\nzwei\nthree\n')
    expect(statSync(world.inRoot('a.txt')).mode & 0o777).toBe(0o640)
  })

  test('refuses a passage that stands there more often, with its lines, unless all are meant', async () => {
    put('a.txt', 'x = 1\ny\nx = 1\n')
    expect(message(await edit('a.txt', { old: 'x = 1', new: 'x = 2' }))).toBe(
      'a.txt was not changed: old stands there 2 times (lines 1, 3). Give more of the lines around it, or all: true.',
    )
    await edit('a.txt', { old: 'x = 1', new: 'x = 2', all: true })
    expect(text('a.txt')).toBe('x = 2\ny\nx = 2\n')
  })

  test('makes all edits of a list or none, each in what those before have left', async () => {
    put('a.txt', 'a b c')
    await edit('a.txt', { old: 'a', new: 'b2' }, { old: 'b2 b', new: 'bb' })
    expect(text('a.txt')).toBe('bb c')
    expect(message(await edit('a.txt', { old: 'bb', new: 'x' }, { old: 'missing', new: 'y' }))).toContain('edits[1]: old was not found')
    expect(text('a.txt')).toBe('bb c')
  })

  test.each([
    ['only spaces differ', 'function  run(a, b) {', 'The nearest is line 2: "\\tfunction run(a, b) {". Only its spaces differ.'],
    ['a letter differs', 'functoin run(a, b) {', 'The nearest is line 2'],
    ['later lines differ', '\tfunction run(a, b) {\n\t\tother\n', 'The nearest is line 2: "\\tfunction run(a, b) {". The lines after it differ.'],
    ['nothing is like it', 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq', 'Nothing there is like it: read the file again.'],
  ])('names the nearest line when %s', async (_, old, hint) => {
    put('a.ts', '// head\n\tfunction run(a, b) {\n\t\treturn a\n\t}\n')
    expect(message(await edit('a.ts', { old, new: 'x' }))).toContain(hint)
  })

  test('keeps CRLF, also when the model writes LF', async () => {
    put('a.txt', 'one\r\ntwo\r\nthree\r\n')
    await edit('a.txt', { old: 'one\ntwo', new: 'uno\ndos\ntres' })
    expect(text('a.txt')).toBe('uno\r\ndos\r\ntres\r\nthree\r\n')
    put('b.txt', 'one\r\ntwo\nthree')
    await edit('b.txt', { old: 'one\ntwo', new: '1\n2' })
    expect(text('b.txt')).toBe('1\r\n2\nthree')
  })

  test.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffgrün\r\nrot', 'utf8'), Buffer.from('\ufeffblau\r\nrot', 'utf8')],
    ['UTF-16LE', Buffer.from('\ufeffgrün', 'utf16le'), Buffer.from('\ufeffblau', 'utf16le')],
    ['UTF-16BE', Buffer.from('\ufeffgrün', 'utf16le').swap16(), Buffer.from('\ufeffblau', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('grün', 'latin1'), Buffer.from('blau', 'latin1')],
  ])('keeps the encoding: %s', async (_, before, after) => {
    put('a.txt', before)
    await edit('a.txt', { old: 'grün', new: 'blau' })
    expect(bytes('a.txt')).toEqual(after)
  })

  test('refuses characters that the encoding of the file does not have', async () => {
    put('a.txt', Buffer.from('grün', 'latin1'))
    expect(message(await edit('a.txt', { old: 'grün', new: '字' }))).toContain('Latin-1')
    expect(bytes('a.txt')).toEqual(Buffer.from('grün', 'latin1'))
  })

  test('refuses binary files, files that are not there, folders, and edits without sense', async () => {
    put('a.bin', new Uint8Array([1, 0, 2]))
    mkdirSync(world.inRoot('dir'))
    put('a.txt', 'x')
    expect(message(await edit('a.bin', { old: 'x', new: 'y' }))).toContain('is binary')
    expect(message(await edit('b.txt', { old: 'x', new: 'y' }))).toContain('use write_file for a new file')
    expect(message(await edit('dir', { old: 'x', new: 'y' }))).toContain('dir is a folder')
    expect(message(await edit('a.txt', { old: 'x', new: 'x' }))).toContain('are the same')
    expect(message(await edit('a.txt', { old: '', new: 'x' }))).toContain('old is empty')
  })

  test('cuts a long difference, and says that too much changed when there is too much', async () => {
    put('a.txt', Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n'))
    const { diff } = (await edit('a.txt', { old: 'line', new: 'row', all: true })) as { diff: string }
    expect(diff.length).toBeLessThan(6100)
    expect(diff).toMatch(/\n\[\.\.\. \d+ more characters \.\.\.\]$/)
    put('b.txt', 'a\n'.repeat(9000))
    expect(await edit('b.txt', { old: 'a', new: 'b', all: true })).toMatchObject({ diff: '[too much changed to show it]' })
  })

  test('refuses a file that is larger than may be edited', async () => {
    const small = makeWorld({ maxEditBytes: 10 })
    writeFileSync(small.inRoot('a.txt'), 'x'.repeat(11))
    expect(message(await small.call('edit', { path: 'a.txt', edits: [{ old: 'x', new: 'y', all: true }] }))).toContain('11 bytes; 10 are allowed')
    writeFileSync(small.inRoot('a.txt'), 'x')
    expect(message(await small.call('edit', { path: 'a.txt', edits: [{ old: 'x', new: 'y'.repeat(11) }] }))).toContain('11 bytes; 10 are allowed')
    small.remove()
  })

  test('a dollar sign in a new passage is a dollar sign', async () => {
    put('a.txt', 'price')
    await edit('a.txt', { old: 'price', new: "$& $1 $$ $'" })
    expect(text('a.txt')).toBe("$& $1 $$ $'")
  })
})

test('one exact edit of any text changes the passage and nothing else', () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '字', '$') })
  fc.assert(
    fc.property(part, part, part, part, (head, old, tail, replacement) => {
      fc.pre(
        old !== '' &&
          old !== replacement &&
          `${head}${old}${tail}`.indexOf(old) === `${head}${old}${tail}`.lastIndexOf(old) &&
          !/\r/.test(head + old + tail + replacement),
      )
      expect(replaceAll(`${head}${old}${tail}`, [{ old, new: replacement }])).toBe(`${head}${replacement}${tail}`)
    }),
  )
})

test('every text that is decoded is encoded to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]), (body, mark) => {
      const given = Buffer.from([...mark, ...body])
      const decoded = decodeText(given)
      if (decoded) expect(encodeText(decoded)).toEqual(given)
    }),
    { numRuns: 2000 },
  )
})

describe('delete_file', () => {
  test('deletes a file, and says what it was', async () => {
    put('a.txt', 'x')
    const result = await world.call('delete_file', { path: 'a.txt' })
    expect(result).toEqual({ path: 'a.txt', status: 'deleted', files: [{ path: 'a.txt', before: sha('x'), after: null }] })
    expect(existsSync(world.inRoot('a.txt'))).toBe(false)
  })

  test('refuses what is not there, and folders', async () => {
    mkdirSync(world.inRoot('dir'))
    expect(message(await world.call('delete_file', { path: 'a.txt' }))).toContain('There is no a.txt')
    expect(message(await world.call('delete_file', { path: 'no/a.txt' }))).toContain('There is no no/a.txt')
    expect(message(await world.call('delete_file', { path: 'dir' }))).toContain('dir is a folder')
    expect(existsSync(world.inRoot('dir'))).toBe(true)
  })
})

describe('the expected version', () => {
  test('comes from read_file and from results, and lets a change happen while the file has it', async () => {
    put('a.txt', 'one')
    const read = String(await world.call('read_file', { path: 'a.txt', version: true }))
    const version = /\[version ([\da-f]{16})\]$/.exec(read)?.[1] ?? ''
    expect(sha('one').startsWith(version)).toBe(true)
    const written = (await world.call('write_file', { path: 'a.txt', content: 'two', expect: version })) as { files: readonly { after: string }[] }
    expect(await world.call('delete_file', { path: 'a.txt', expect: written.files[0]?.after })).toMatchObject({ status: 'deleted' })
  })

  test.each(['write_file', 'edit', 'delete_file'] as const)(
    'that a file no longer has stops %s, so that an edit of a person is kept',
    async (name) => {
      put('a.txt', 'one')
      const expected = sha('one').slice(0, 16)
      put('a.txt', 'one, and what a person added')
      const input = {
        path: 'a.txt',
        expect: expected,
        ...(name === 'write_file' && { content: 'two' }),
        ...(name === 'edit' && { edits: [{ old: 'one', new: 'two' }] }),
      }
      expect(message(await world.call(name, input))).toContain(
        `Conflict: a.txt has the version ${sha('one, and what a person added').slice(0, 16)}, not ${expected}`,
      )
      expect(text('a.txt')).toBe('one, and what a person added')
    },
  )

  test('absent stops a write over a file that has come meanwhile', async () => {
    expect(await world.call('write_file', { path: 'a.txt', content: 'x', expect: 'absent' })).toMatchObject({ status: 'created' })
    expect(message(await world.call('write_file', { path: 'a.txt', content: 'y', expect: 'absent' }))).toContain('Conflict')
  })
})
