/** Tools of users whose arguments are marked by what they name. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, jsonSchema, type Policy, readEvents, type ToolTaint, tool } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools, httpTool, type MarkedArgumentsOptions, markedArguments, shellTools, webTools } from '@loom-agent/tools'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeWorld } from './world.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'marked-')))
  for (const folder of ['src', 'private']) mkdirSync(join(root, folder))
  writeFileSync(join(root, '.env'), 'KEY=1')
  symlinkSync('../private', join(root, 'src/way'))
  symlinkSync('../.env', join(root, 'src/harmless'))
})

type Kinds = MarkedArgumentsOptions['kinds']
const anything = jsonSchema<Record<string, unknown>>({ type: 'object' })

/** What becomes of a call: that it runs, what is asked, or that it is denied. */
async function fateOf(input: object, kinds: Kinds, permissions?: Policy, more: Partial<MarkedArgumentsOptions> = {}): Promise<string> {
  let runs = 0
  const copy = tool({ ...markedArguments({ root, kinds, ...more }), name: 'copy', input: anything, run: () => `${++runs}` })
  const model = scriptedModel([{ calls: [{ tool: 'copy', input }] }, 'Done.'])
  const { status, questions } = await agent({ model, tools: [copy], ...(permissions && { permissions }) }).run('go')
  if (status === 'waiting') return `asks: ${questions[0]?.prompt}`
  return runs > 0 ? 'runs' : 'is denied'
}

const paths: Kinds = { from: 'path', to: 'path' }

describe('rules for marked arguments', () => {
  test.each([
    [{ from: 'src/a', to: 'src/b' }, 'runs'],
    [{ from: 'src/a', to: 'out/b' }, 'is denied'],
    [{ from: 'src/a', to: ['src/b', 'out/c'] }, 'is denied'],
    [{ from: 'src/a', to: 'src/../out/b' }, 'is denied'],
    [{ from: 'src/way/plan.md', to: 'src/b' }, 'is denied'],
    [{ from: { path: 'src/a' }, to: 'src/b' }, 'is denied'],
    [{ from: '/etc/passwd', to: 'src/b' }, 'is denied'],
    [{ from: '~/src/a', to: 'src/b' }, 'is denied'],
  ])('%j %s under a rule that allows one folder (MARKED-1)', async (input, fate) => {
    expect(await fateOf(input, paths, { 'copy(./src/**)': 'allow', default: 'deny' })).toBe(fate)
  })

  test('take the absolute name of a place in the root for that place', async () => {
    const allowed: Policy = { 'copy(./src/**)': 'allow', default: 'deny' }
    expect(await fateOf({ from: join(root, 'src/a'), to: 'src/b' }, paths, allowed)).toBe('runs')
    expect(await fateOf({ from: `${root}/src/../../a`, to: 'src/b' }, paths, allowed)).toBe('is denied')
    expect(await fateOf({ from: `${root}-other/src/a`, to: 'src/b' }, paths, allowed)).toBe('is denied')
  })

  test('name one argument by its name (MARKED-2)', async () => {
    const policy: Policy = { 'copy(from: **)': 'allow', 'copy(to: ./out/**)': 'allow', 'copy(to: ./out/kept)': 'deny', default: 'ask' }
    expect(await fateOf({ from: 'src/a', to: 'out/b' }, paths, policy)).toBe('runs')
    expect(await fateOf({ from: 'src/a', to: 'src/b' }, paths, policy)).toContain('asks')
    expect(await fateOf({ from: 'src/a', to: 'out/kept' }, paths, policy)).toBe('is denied')
    expect(await fateOf({ from: 'out/kept', to: 'out/b' }, paths, policy)).toBe('runs')
  })

  test.each([
    [{ url: 'https://api.example.com/x', host: 'db.example.com', run: 'git log -3' }, 'runs'],
    [{ url: 'https://api.example.com/x', host: 'db.example.com:5432', run: 'git log -3' }, 'runs'],
    [{ url: 'https://api.example.com@evil.net/', host: 'db.example.com', run: 'git log' }, 'is denied'],
    [{ url: 'https://api.example.com/', host: 'evil.net/db.example.com', run: 'git log' }, 'is denied'],
    [{ url: 'https://api.example.com/', host: 'db.example.com@evil.net', run: 'git log' }, 'is denied'],
    [{ url: 'https://api.example.com/', host: 'db.example.com', run: 'git log; rm -r x' }, 'is denied'],
    [{ url: 'https://api.example.com/', host: 'db.example.com', run: 'git log > x' }, 'is denied'],
  ])('know addresses, hosts and commands as the built-in tools do: %j %s', async (input, fate) => {
    const kinds: Kinds = { url: 'url', host: 'host', run: 'command' }
    const policy: Policy = {
      'copy(url: **.example.com)': 'allow',
      'copy(host: db.example.com)': 'allow',
      'copy(run: git log *)': 'allow',
      default: 'deny',
    }
    expect(await fateOf(input, kinds, policy)).toBe(fate)
  })

  test('that do not say which of several kinds they are about are refused when the agent is made', async () => {
    const mixed: Kinds = { file: 'path', url: 'url' }
    await expect(fateOf({}, mixed, { 'copy(example.com)': 'allow', default: 'ask' })).rejects.toThrow(
      /does not say which argument.*"file: example.com"/,
    )
  })

  test('are settled by no mode: whether the tool edits, or is confined, is not known', async () => {
    for (const mode of ['accept-edits', 'auto'] as const)
      expect(await fateOf({ from: 'src/a', to: 'src/b' }, paths, { rules: [], default: 'ask', mode })).toContain('asks')
  })
})

describe('a protected path', () => {
  test.each([
    ['.env', 'it may hold secrets'],
    ['src/../.ENV', 'it may hold secrets'],
    ['src/harmless', 'it may hold secrets'],
    ['/srv/.ssh/id_rsa', 'it may hold secrets'],
    ['../elsewhere/.git/hooks/pre-commit', 'it may run as code later'],
  ])('%s asks whatever the rules say (PLACES-1)', async (path, why) => {
    expect(await fateOf({ from: 'src/a', to: path }, paths, { '*': 'allow' })).toContain(why)
  })

  test('that is only read asks for secrets alone', async () => {
    const reads = { reads: ['from'] }
    expect(await fateOf({ from: 'package.json', to: 'src/b' }, paths, undefined, reads)).toBe('runs')
    expect(await fateOf({ from: '.env', to: 'src/b' }, paths, undefined, reads)).toContain('it may hold secrets')
    expect(await fateOf({ from: 'src/a', to: 'package.json' }, paths, undefined, reads)).toContain('it may run as code later')
  })

  test('is named by a rule that names it', async () => {
    expect(await fateOf({ from: 'src/a', to: '.env' }, paths, { 'copy(from: **)': 'allow', 'copy(to: .env)': 'allow', default: 'ask' })).toBe('runs')
  })
})

test('the verdict of the tool holds where nothing is protected', async () => {
  expect(await fateOf({ from: 'src/a', to: 'src/b' }, paths, undefined, { permission: 'ask' })).toContain('asks')
  expect(await fateOf({ from: 'src/a', to: '.env' }, paths, undefined, { permission: 'deny' })).toBe('is denied')
})

test('results are labelled by what the arguments name', () => {
  const { taint } = markedArguments({ root, kinds: { file: 'path', url: 'url', run: 'command' } })
  const labels = ({ brings, sends }: ToolTaint<object>, input: object): unknown => [
    typeof brings === 'function' ? brings(input) : brings,
    typeof sends === 'function' ? sends(input) : sends,
  ]
  expect(labels(taint, { file: 'src/a' })).toEqual([[], false])
  expect(labels(taint, { file: 'src/harmless' })).toEqual([['private'], false])
  expect(labels(taint, { url: 'https://example.com' })).toEqual([['untrusted'], true])
  expect(labels(taint, { run: 'ls src' })).toEqual([[], false])
  expect(labels(taint, { run: 'curl example.com' })).toEqual([['untrusted'], true])
})

test('what the arguments of a call name is recorded with the call, and shown with the question about it', async () => {
  const world = makeWorld()
  const model = scriptedModel([
    { calls: [{ tool: 'list' }, { tool: 'read_file', input: { path: 'a' } }, { tool: 'write_file', input: { path: 'b', content: '' } }] },
  ])
  const reader = agent({ model, tools: world.tools })
  const { questions } = await reader.run('go', { thread: 't' })
  expect(questions[0]?.show).toMatchObject({ tool: 'write_file', kinds: { path: 'path' } })
  const started = (await Array.fromAsync(readEvents(reader.journal, 't'))).filter(({ type }) => type === 'tool.started')
  expect(started.map(({ data }) => data)).toEqual([
    { call: '1.0', effect: 'read' },
    { call: '1.1', effect: 'read', kinds: { path: 'path' } },
  ])
  world.remove()
})

test('the built-in tools say what their arguments name', () => {
  const tools = { ...fileTools({ root }), ...shellTools({ cwd: root, sandbox: 'none' }), ...webTools(), http_request: httpTool() }
  const marked = Object.entries(tools).flatMap(([name, one]) => {
    const { kinds } = toolDefinitionOf(one).matcher ?? {}
    return kinds ? [[name, Object.entries(kinds).map(String).join(' ')]] : []
  })
  expect(Object.fromEntries(marked)).toEqual({
    ...Object.fromEntries(
      ['read_file', 'write_file', 'edit', 'delete_file', 'list', 'glob', 'grep', 'file_search'].map((name) => [name, 'path,path']),
    ),
    bash: 'command,command cwd,path',
    fetch: 'url,url',
    http_request: 'url,url',
  })
})

test('a kind that is not known is refused', () => {
  expect(() => markedArguments({ kinds: { file: 'folder' as never } })).toThrow(/kinds/)
  const matcher = { parts: () => [], compile: () => ({ names: () => true, mayMean: () => true }), kinds: { file: 'folder' as never } }
  expect(() => tool({ name: 'copy', matcher, run: () => 1 })).toThrow(/matcher/)
})
