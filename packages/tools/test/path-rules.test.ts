/** Rules that name the files of a call (PATH-1 to PATH-3, JUDGED-1). */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { agent, approve, type Policy, type Rule, type Verdict } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createGuard } from '../src/files/guard.ts'
import { pathPattern } from '../src/files/path-pattern.ts'
import { makeWorld, type ToolName, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
  for (const folder of ['src', 'src/deep', 'private']) mkdirSync(world.inRoot(folder))
  for (const file of ['src/a.ts', 'src/deep/b.ts', 'private/key.txt', 'top.ts']) writeFileSync(world.inRoot(file), file)
})
afterEach(() => world.remove())

/** What becomes of a call: that it would run, that a human is asked, or that it is denied. Nothing runs. */
async function fateOf(name: ToolName, input: object, permissions: Policy): Promise<string> {
  const ran: string[] = []
  const given = world.tools[name]
  const seen = { ...given, definition: { ...toolDefinitionOf(given), durable: false, run: () => ran.push('ran') } }
  const model = scriptedModel([{ calls: [{ tool: name, input: input as never }] }, 'Done.'])
  const { status } = await agent({ model, tools: [seen], permissions }).run('go')
  if (status === 'waiting') return 'asks'
  return ran.length > 0 ? 'runs' : 'is denied'
}

const write = (path: string): { path: string; content: string } => ({ path, content: 'x' })

describe('a rule that allows', () => {
  const permissions: Policy = { 'write_file(./src/**)': 'allow', 'write_file(*.md)': 'allow', default: 'ask' }

  test.each([
    ['src/a.ts', 'runs'],
    ['./src//deep/../a.ts', 'runs'],
    ['src/new/file.ts', 'runs'],
    ['notes.md', 'runs'],
    ['docs/deep/notes.md', 'runs'],
    ['top.ts', 'asks'],
    ['src/../top.ts', 'asks'],
    ['SRC/a.ts', 'asks'],
    ['srcs/a.ts', 'asks'],
    ['lib/src/a.ts', 'asks'],
    ['../src/a.ts', 'asks'],
    ['/src/a.ts', 'asks'],
    ['src\\a.ts', 'asks'],
  ])('is met by exactly what it names: %s %s (PATH-1)', async (path, fate) => {
    expect(await fateOf('write_file', write(path), permissions)).toBe(fate)
  })

  test('is about its tool alone', async () => {
    expect(await fateOf('delete_file', { path: 'src/a.ts' }, permissions)).toBe('asks')
    expect(await fateOf('edit', { path: 'src/a.ts', edits: [{ old: 's', new: 't' }] }, { 'edit(src/*.ts)': 'allow' })).toBe('runs')
    expect(await fateOf('delete_file', { path: 'src/deep/b.ts' }, { 'delete_file(src/*.ts)': 'allow' })).toBe('asks')
  })

  test.each([
    ['src/.env', { 'read_file(src/**)': 'allow' }, 'asks'],
    ['src/.env', { 'read_file(**)': 'allow' }, 'asks'],
    ['src/.env', { 'read_file(.env)': 'allow' }, 'runs'],
    ['src/.env', { 'read_file(**/.env)': 'allow' }, 'runs'],
    ['server.pem', { 'read_file(*.pem)': 'allow' }, 'runs'],
    ['server.pem', { 'read_file(*)': 'allow' }, 'asks'],
    ['.ssh/id_rsa', { 'read_file(.ssh/**)': 'allow' }, 'runs'],
  ] as const)('names a protected path only where it says what is protected: %s under %j %s', async (path, rules, fate) => {
    expect(await fateOf('read_file', { path }, { ...rules, default: 'allow' })).toBe(fate)
  })

  test('of code that runs later does not name secrets among it', async () => {
    expect(await fateOf('write_file', write('.github/ci.yml'), { 'write_file(.github/**)': 'allow' })).toBe('runs')
    expect(await fateOf('write_file', write('.github/.env'), { 'write_file(.github/**)': 'allow', default: 'allow' })).toBe('asks')
  })
})

describe('a rule that denies', () => {
  const permissions: Policy = { 'read_file(./private/**)': 'deny', 'read_file(notes?.txt)': 'deny', default: 'allow' }

  test.each([
    ['private/key.txt', 'is denied'],
    ['private', 'is denied'],
    ['PRIVATE/key.txt', 'is denied'],
    ['ｐrivate/key.txt', 'is denied'],
    ['private./key.txt', 'is denied'],
    ['private::$DATA/key.txt', 'is denied'],
    ['src/../private/key.txt', 'is denied'],
    ['deep/NOTES1.TXT', 'is denied'],
    ['../x', 'is denied'],
    ['src/private/key.txt', 'runs'],
    ['notes.txt.md', 'runs'],
    ['src/a.ts', 'runs'],
  ])('fails closed: %s %s (PATH-2)', async (path, fate) => {
    expect(await fateOf('read_file', { path }, permissions)).toBe(fate)
  })

  test('of a folder is about everything in it', async () => {
    expect(await fateOf('write_file', write('private/new/x'), { 'write_file(private)': 'deny', default: 'allow' })).toBe('is denied')
  })
})

describe('tools that look at everything below a folder', () => {
  test.each([
    ['grep', { path: '.', pattern: 'x' }, 'is denied'],
    ['grep', { pattern: 'x' }, 'is denied'],
    ['grep', { path: 'src', pattern: 'x' }, 'runs'],
    ['glob', { path: 'private', pattern: '*' }, 'is denied'],
    ['list', { path: '.' }, 'runs'],
    ['list', { path: '.', recursive: true }, 'is denied'],
    ['list', { path: 'private' }, 'is denied'],
  ] as const)('meet a rule that denies something there: %s %j %s', async (name, input, fate) => {
    expect(await fateOf(name, input, { [`${name}(private/**)`]: 'deny', default: 'allow' })).toBe(fate)
  })

  test.each([
    ['grep(src/**)', 'src', 'runs'],
    ['grep(src/**)', 'src/deep', 'runs'],
    ['grep(src/*)', 'src/a.ts', 'is denied'],
    ['grep(**)', '.', 'runs'],
    ['grep(src/**)', '.', 'is denied'],
  ])('are allowed by a rule that names everything there: %s %s %s', async (rule, path, fate) => {
    expect(await fateOf('grep', { path, pattern: 'x' }, { [rule]: 'allow', default: 'deny' })).toBe(fate)
  })
})

describe('links', () => {
  beforeEach(() => {
    symlinkSync('../private', world.inRoot('src', 'way'))
    symlinkSync('src', world.inRoot('sources'))
    symlinkSync(world.outside, world.inRoot('src', 'out'))
  })

  test('are judged by the place that they lead to, and by their own name (PATH-3)', async () => {
    const allowed: Policy = { 'read_file(src/**)': 'allow', default: 'deny' }
    expect(await fateOf('read_file', { path: 'src/way/key.txt' }, allowed)).toBe('is denied')
    expect(await fateOf('read_file', { path: 'sources/a.ts' }, allowed)).toBe('is denied')
    expect(await fateOf('read_file', { path: 'sources/a.ts' }, { ...allowed, 'read_file(sources/**)': 'allow' })).toBe('runs')
    expect(await fateOf('read_file', { path: 'sources/way/key.txt' }, { 'read_file(private/**)': 'deny', default: 'allow' })).toBe('is denied')
    expect(await fateOf('read_file', { path: 'src/out/secret.txt' }, { 'read_file(x)': 'deny', default: 'allow' })).toBe('is denied')
  })

  test.each(['read_file', 'list', 'grep'] as const)('that are exchanged after %s was judged lead nowhere (JUDGED-1)', async (name) => {
    const definition = toolDefinitionOf(world.tools[name])
    const path = name === 'read_file' ? 'src/way2/a.txt' : 'src/way2'
    mkdirSync(world.inRoot('open'))
    writeFileSync(world.inRoot('open', 'a.txt'), 'harmless')
    writeFileSync(world.inRoot('private', 'a.txt'), 'secret of private')
    symlinkSync('../open', world.inRoot('src', 'way2'))
    const judged = { path, pattern: '.', recursive: true }
    const parts = await definition.matcher?.parts(judged)
    expect(parts?.map(({ text }) => text)).toContain(name === 'read_file' ? 'open/a.txt' : 'open')
    expect(isLoomError(await world.call(name, judged))).toBe(false)
    symlinkSync('../private', world.inRoot('src', 'other'))
    renameSync(world.inRoot('src', 'other'), world.inRoot('src', 'way2'))
    const said = await world.call(name, judged)
    expect(isLoomError(said) && said.message).toMatch(/leads to another place than when the call was judged/)
    expect(JSON.stringify(await world.call(name, { ...judged }))).toContain(name === 'list' ? 'key.txt' : 'secret of private')
  })

  test('that take the place of a folder after a change was judged lead nowhere (JUDGED-1)', async () => {
    const input = { path: 'src/deep/new.ts', content: 'x' }
    await toolDefinitionOf(world.tools.write_file).matcher?.parts(input)
    rmSync(world.inRoot('src', 'deep'), { recursive: true })
    symlinkSync('../private', world.inRoot('src', 'deep'))
    const said = await world.call('write_file', input)
    expect(isLoomError(said) && said.message).toMatch(/leads to another place/)
  })

  test('of a call that no rule judges by its place are followed as before', async () => {
    expect(await world.call('read_file', { path: 'src/way/key.txt' })).toBe('private/key.txt')
  })
})

describe('accept-edits', () => {
  const permissions: Policy = { rules: [], default: 'ask', mode: 'accept-edits' }

  test.each([
    ['write_file', write('src/a.ts'), 'runs'],
    ['edit', { path: 'src/a.ts', edits: [{ old: 's', new: 't' }] }, 'runs'],
    ['delete_file', { path: 'src/a.ts' }, 'runs'],
    ['write_file', write('.env'), 'asks'],
    ['write_file', write('package.json'), 'asks'],
    ['write_file', write('../x'), 'asks'],
    ['read_file', { path: 'src/a.ts' }, 'asks'],
  ] as const)('runs edits of files that are not protected: %s %j %s', async (name, input, fate) => {
    expect(await fateOf(name, input, permissions)).toBe(fate)
  })
})

describe('patterns of rules', () => {
  test.each(['', '/etc/*', '../x', '~/x', 'a\\b'])('that can match nothing are refused when the agent is made: %j', (pattern) => {
    const permissions: Policy = { [`read_file(${pattern})`]: 'deny' }
    expect(() => agent({ tools: fileTools({ root: world.root }), permissions })).toThrow(/cannot match a call of read_file/)
  })

  test('have examples, which are checked when the agent is made', () => {
    const made = (rule: Partial<Rule>): unknown =>
      agent({ tools: world.tools, permissions: { rules: [{ tool: 'write_file(src/**)', verdict: 'allow', ...rule }] } })
    expect(() => made({ examples: { meets: [write('src/x')], others: [write('x'), write('src/.env')] } })).not.toThrow()
    expect(() => made({ examples: { meets: [write('x')] } })).toThrow(/does not meet \{"path":"x"/)
    expect(() => made({ examples: { others: [write('src/x')] } })).toThrow(/meets \{"path":"src\/x"/)
  })

  const guard = createGuard({ secrets: [], code: [], verdict: 'ask' })
  const name = fc.constantFrom('a', 'b', 'ab', 'B')
  const part = fc.constantFrom('a', 'b', '*', 'a*', '?', '**', '[ab]', '{a,b}')
  const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `./${parts.join('/')}`)
  const segments = fc.array(name, { maxLength: 4 })

  /** Another way to tell what a pattern matches: one regular expression for the whole path. */
  const oracle = (text: string): RegExp => {
    const source = text
      .slice(2)
      .split('/')
      .map((each) => (each === '**' ? '(?:[^/]+/)*' : `${nameSource(each)}/`))
    return new RegExp(`^${source.join('')}$`)
  }
  const nameSource = (each: string): string =>
    each
      .replace(/\{a,b\}/g, '(?:a|b)')
      .replace(/\*/g, '[^/]*')
      .replace(/(?<!\()\?/g, '[^/]')
  const asText = (names: readonly string[]): string => names.map((each) => `${each}/`).join('')

  test('match what an independent reading of them matches', () => {
    fc.assert(
      fc.property(pattern, segments, (text, names) => {
        const asked = { segments: names, access: 'read', isTree: false } as const
        expect(pathPattern(text, guard).names(asked)).toBe(oracle(text).test(asText(names)))
      }),
      { numRuns: 2000 },
    )
  })

  test('of a rule that denies are met by all that they name, by what is below it, and by every folder that may hold it (PATH-2)', () => {
    fc.assert(
      fc.property(pattern, segments, segments, (text, names, below) => {
        const { mayMean } = pathPattern(text, guard)
        const isNamed = oracle(text).test(asText([...names, ...below]))
        if (!isNamed) return
        expect(mayMean({ segments: [...names, ...below], access: 'read', isTree: false })).toBe(true)
        expect(mayMean({ segments: [...names, ...below, 'x'], access: 'read', isTree: false })).toBe(true)
        expect(mayMean({ segments: names, access: 'read', isTree: true })).toBe(true)
        expect(mayMean({ segments: [...names, ...below].map((each) => each.toUpperCase()), access: 'read', isTree: false })).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('of a rule that allows a search allow it only where everything below is named (PATH-1)', () => {
    fc.assert(
      fc.property(pattern, segments, segments, (text, names, below) => {
        if (!pathPattern(text, guard).names({ segments: names, access: 'read', isTree: true })) return
        expect(oracle(text).test(asText([...names, ...below]))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

test('an approval that a rule asks for runs the call that was shown', async () => {
  const permissions: Policy = { 'read_file(private/**)': 'ask' satisfies Verdict, default: 'allow' }
  const model = scriptedModel([{ calls: [{ tool: 'read_file', input: { path: 'private/key.txt' } }] }, 'Done.'])
  await agent({ model, tools: world.tools, permissions }).run('go', { onQuestion: () => approve() })
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('private/key.txt')
})
