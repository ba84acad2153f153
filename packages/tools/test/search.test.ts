/** glob, grep and file_search (FIND-1, FIND-2, GLOB-1, GREP-1 to GREP-3). */
import { execFileSync } from 'node:child_process'
import { constants, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { compileGlob } from '../src/files/glob-pattern.ts'
import { ripgrep } from '../src/files/ripgrep.ts'
import { makeWorld, secret, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld({ maxEntries: 5 })
})
afterEach(() => world.remove())

const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)
function put(path: string, content: string | Uint8Array = ''): void {
  mkdirSync(dirname(world.inRoot(path)), { recursive: true })
  writeFileSync(world.inRoot(path), content)
}
const glob = (pattern: string, more: object = {}): Promise<unknown> => world.call('glob', { pattern, ...more })
const grep = (pattern: string, more: object = {}): Promise<unknown> => world.call('grep', { pattern, ...more })
const find = (query: string, more: object = {}): Promise<unknown> => world.call('file_search', { query, ...more })

/** The processes of a name that this one has started. */
const childrenNamed = (name: string): readonly number[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
    .filter((id) => id !== '' && existsSync(`/proc/${id}/comm`) && readFileSync(`/proc/${id}/comm`, 'utf8').trim() === name)
    .map(Number)

describe('a pattern', () => {
  test.each([
    ['*.ts', 'src/a.ts', true],
    ['*.ts', 'a.tsx', false],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/deep/er/a.ts', true],
    ['**/test/**', 'a/test/b/c', true],
    ['./a', 'a', true],
    ['*.{js,ts}', 'x/a.js', true],
    ['{src,test}/{a,b}.ts', 'test/b.ts', true],
    ['{src,test}/{a,b}.ts', 'other/b.ts', false],
    ['[a-c]?.md', 'bx.md', true],
    ['[!a-c]?.md', 'bx.md', false],
    ['a[]]b', 'a]b', true],
    ['a[-z]', 'a-', true],
    ['?', '字', true],
    ['a+b(c).txt', 'a+b(c).txt', true],
    ['A.ts', 'a.ts', false],
  ])('%s and %s: %s', (pattern, path, matches) => {
    expect(compileGlob(pattern)(path.split('/'))).toBe(matches)
  })

  test.each([
    ['/etc/*', 'is absolute'],
    ['..\\*', 'backslash'],
    ['../*', 'has .. in it'],
    ['a/{b,..}/c', 'has .. in it'],
    ['{a,b}'.repeat(9), 'more than 64'],
    ['a'.repeat(1001), 'longer than 1000'],
  ])('%s is refused', async (pattern, why) => {
    expect(message(await glob(pattern))).toContain(why)
  })

  test('with many stars is matched in steps that grow with the lengths alone', () => {
    const matches = compileGlob(`${'*a'.repeat(100)}b`)
    expect(matches(['a'.repeat(255)])).toBe(false)
    expect(compileGlob('**/a/'.repeat(30))(Array.from({ length: 200 }, () => 'b'))).toBe(false)
  })

  test('of any characters can be used, and one without wildcards matches its own text', () => {
    const unit = fc.constantFrom('a', 'b', '[', ']', '{', '}', ',', '*', '?', '-', '^', '!', '&', '|', '+', '$')
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (pattern) => {
        const matches = compileGlob(pattern)
        expect(typeof matches(['a'])).toBe('boolean')
        if (!/[*?[{]/.test(pattern)) expect(matches([pattern])).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('glob', () => {
  test('is sorted and bounded, and leaves out hidden files, .git, node_modules and what is ignored', async () => {
    for (const path of ['b.ts', 'a.ts', 'src/c.ts', 'src/d.js', 'node_modules/x/e.ts', '.git/f.ts', '.hidden/g.ts', 'dist/h.ts']) put(path)
    put('.gitignore', 'dist/\n')
    expect(await glob('*.ts')).toBe('a.ts\nb.ts\nsrc/c.ts')
    expect(await glob('*.ts', { hidden: true, ignored: true })).toBe('.hidden/g.ts\na.ts\nb.ts\ndist/h.ts\nsrc/c.ts')
    expect(await glob('*.ts', { limit: 2 })).toBe('a.ts\nb.ts\n[the first 2 files; there are more: search a folder below, or raise limit]')
    expect(await glob('*', { path: 'src' })).toBe('src/c.ts\nsrc/d.js')
    expect(await glob('*', { path: 'node_modules/x' })).toBe('node_modules/x/e.ts')
    expect(await glob('*.py')).toBe('No file matches *.py.')
  })

  test('obeys the ignore files of folders below, and what they take back', async () => {
    for (const path of ['a.log', 'keep.log', 'sub/b.log', 'sub/c.tmp', 'sub/deep/c.tmp']) put(path)
    put('.gitignore', '*.log\n!keep.log\n')
    put('sub/.gitignore', '!b.log\nc.tmp\n')
    expect(await glob('*')).toBe('keep.log\nsub/b.log')
  })

  test('looks at so many entries and no more, and says so', async () => {
    const small = makeWorld({ maxVisited: 3 })
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(small.inRoot(name), '')
    expect(await small.call('glob', { pattern: '*' })).toContain('[only 3 entries were looked at; search a folder below]')
    small.remove()
  })
})

describe('grep', () => {
  test('gives path, line and text, sorted, with lines around where they are asked for', async () => {
    put('b.txt', 'one\ntwo\nthree\nfour\nfive\n')
    put('a.txt', 'three\r\n')
    expect(await grep('thre+')).toBe('a.txt:1: three\nb.txt:3: three')
    expect(await grep('three', { context: 1, path: 'b.txt' })).toBe('b.txt-2- two\nb.txt:3: three\nb.txt-4- four')
    expect(await grep('two|five', { context: 1 })).toBe('b.txt-1- one\nb.txt:2: two\nb.txt-3- three\nb.txt-4- four\nb.txt:5: five')
    expect(await grep('e$', { path: 'a.txt' })).toBe('a.txt:1: three')
    expect(await grep('nothing')).toBe('No line matches.')
  })

  test('takes case, plain texts, globs and hidden files as it is told', async () => {
    put('a.ts', 'Foo(bar)')
    put('a.md', 'foo')
    put('.hidden.ts', 'foo')
    expect(await grep('foo')).toBe('a.md:1: foo')
    expect(await grep('foo', { ignore_case: true, glob: '*.ts', hidden: true })).toBe('.hidden.ts:1: foo\na.ts:1: Foo(bar)')
    expect(await grep('(bar)', { literal: true })).toBe('a.ts:1: Foo(bar)')
    expect(await grep('-e', { literal: true })).toBe('No line matches.')
    expect(await grep('--files')).toBe('No line matches.')
  })

  test('is bounded: matches, characters, long lines, large and binary files', async () => {
    put('a.txt', 'x\n'.repeat(50))
    expect(await grep('x', { max_results: 2 })).toBe(
      'a.txt:1: x\na.txt:2: x\n[the first 2 matches; there are more: search a folder below, or raise max_results]',
    )
    put('long.txt', `needle ${'y'.repeat(5000)}`)
    expect(await grep('needle')).toMatch(/^long.txt:1: needle y{293} \[\.\.\. 4707 more characters\]$/)
    put('many.txt', `${'z'.repeat(200)}\n`.repeat(500))
    const many = String(await grep('z', { max_results: 1000 }))
    expect(many.length).toBeLessThan(9700)
    expect(many).toContain('[there are more matches than fit here: search for less]')
    put('binary', new Uint8Array([0x6e, 0, 0x6e]))
    put('big.txt', Buffer.alloc(9 * 1024 * 1024, 0x6e))
    expect(await grep('^n')).toMatch(/^long.txt.*\n\[big.txt was left out: it has more than 8388608 bytes\]$/)
  })

  test('finds lines of more files than are open at once, in order', async () => {
    for (let index = 100; index < 350; index += 1) put(`f${index}.txt`, `needle ${index}`)
    const lines = String(await grep('needle', { max_results: 1000 })).split('\n')
    expect(lines).toEqual(Array.from({ length: 250 }, (_, index) => `f${index + 100}.txt:1: needle ${index + 100}`))
  })

  test('reads UTF-16 and Latin-1', async () => {
    put('a.txt', Buffer.from('\ufeffgrün needle', 'utf16le'))
    put('b.txt', Buffer.from('grün needle', 'latin1'))
    expect(await grep('needle')).toBe('a.txt:1: grün needle\nb.txt:1: grün needle')
  })

  test.each([
    ['(', 'The pattern cannot be used'],
    ['a{1000}{1000}{1000}', 'The pattern cannot be used'],
    ['a\nb', 'has a line break'],
    ['a\0b', 'has a line break or a NUL'],
  ])('the pattern %j is refused with what is wrong, in an empty folder too', async (pattern, why) => {
    expect(message(await grep(pattern))).toContain(why)
    put('a.txt', 'a')
    expect(message(await grep(pattern))).toContain(why)
  })

  test('a pattern that would take other engines for ever ends', async () => {
    put('a.txt', `${'a'.repeat(30_000)}!`)
    expect(await grep('(a+)+$')).toBe('No line matches.')
  })

  test('searches nothing outside: neither through links nor when there is nothing to search', async () => {
    expect(await grep(secret)).toBe('No line matches.')
    symlinkSync(world.outside, world.inRoot('d'))
    symlinkSync(join(world.outside, 'secret.txt'), world.inRoot('l'))
    expect(await grep(secret)).toBe('No line matches.')
    expect(message(await grep(secret, { path: 'd' }))).toContain('leads out of the root')
    expect(message(await grep(secret, { path: 'l' }))).toContain('leads out of the root')
  })

  test('an abort is an abort', async () => {
    put('a.txt', 'x')
    expect(message(await world.call('grep', { pattern: 'x' }, { signal: AbortSignal.abort(new Error('enough')) }))).toBe('enough')
  })

  test('an abort ends a search that would never end by itself', async () => {
    // A pipe that is open for writing has no end.
    execFileSync('mkfifo', [world.inRoot('pipe')])
    const handle = await open(world.inRoot('pipe'), constants.O_RDWR | constants.O_NONBLOCK)
    const controller = new AbortController()
    const query = { pattern: 'x', literal: false, ignoreCase: false, context: 0, most: 1 }
    const searching = ripgrep(query, [{ handle, real: world.inRoot('pipe'), shown: 'pipe' }], controller.signal)
    const ended = expect(searching).rejects.toThrow('enough')
    await until(() => childrenNamed('rg').length > 0)
    const [child = 0] = childrenNamed('rg')
    controller.abort(new Error('enough'))
    await ended
    expect(existsSync(`/proc/${child}`)).toBe(false)
    await handle.close()
  })
})

describe('file_search', () => {
  test('the best come first: the name, its start, a part of it, the path, the characters in order', async () => {
    for (const path of ['x/main', 'main.ts', 'domain.ts', 'main/x.ts', 'm-a-i-n.ts', 'other.md']) put(path)
    expect(await find('main')).toBe('x/main\nmain.ts\ndomain.ts\nmain/x.ts\nm-a-i-n.ts')
    expect(await find('MAIN', { max_results: 1 })).toBe('x/main\n[the best 1 of 5]')
    expect(await find('zzz')).toBe('No file name is like zzz.')
    expect(message(await find('  '))).toContain('The query is blank')
  })
})
