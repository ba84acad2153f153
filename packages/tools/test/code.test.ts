/** Code of a model: what it returns, what it prints, how it ends, and the tools that it makes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, memoryJournal, reject, respond } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Json } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { type CodeToolsOptions, codeTools, writtenTools } from '@loom-agent/tools'
import { expect, test } from 'vitest'

const run = async (code: string, options: CodeToolsOptions = {}, input: Json = null): Promise<unknown> =>
  toolDefinitionOf(codeTools(options).run_code).run({ code, input }, { signal: new AbortController().signal } as never)
const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)

test('code returns a result, sees its input, waits for what it settles, and its prints are shown', async () => {
  expect(await run('return await Promise.all(input.map(async (x) => x * 2))', {}, [1, 2])).toEqual({ result: [2, 4] })
  expect(await run('console.log("one", { two: 2 }, [3], null); console.error(new TypeError("four"))')).toEqual({
    printed: 'one {"two":2} [3] null\nTypeError: four\n',
  })
  expect(await run('const x = 1')).toEqual({ note: 'It returned nothing and printed nothing. Return the result.' })
})

test.each([
  ['\nconst x = {}\nx.y.z', 'The code failed in line 3: TypeError: cannot read property'],
  ['throw "plain"', 'The code failed: plain.'],
  ['return (', 'The code failed in line 2: SyntaxError'],
  ['return 1n', 'BigInt'],
  ['for (;;);', 'The code was ended after 300 milliseconds.'],
  ['await new Promise(() => {})', 'waits for a promise that never settles'],
  ['return "x".repeat(5000)', 'The result has 5002 characters of JSON, and 4500 are returned at most.'],
  ['const f = () => f(); f()', 'stack overflow'],
  ['const kept = []; for (;;) kept.push(new Array(10000).fill(1))', 'It may use 1048576 bytes.'],
])('code that fails says why and what to do: %s', async (code, words) => {
  expect(message(await run(code, { timeout: 300, memory: 2 ** 20 }))).toContain(words)
})

test('what was printed before a failure is shown, and what is too much is counted', async () => {
  expect(message(await run('console.log("begun"); throw new Error("x")'))).toBe(
    'The code failed in line 1: Error: x. Correct it. It had printed:\nbegun\n',
  )
  expect(await run('for (let i = 0; i < 100; i++) console.log("0123456789")', { maxOutput: 22 })).toEqual({
    printed: '0123456789\n0123456789\n',
    note: '1078 characters that it printed are left out: print less.',
  })
})

test('a stop ends code that computes', async () => {
  const stop = new AbortController()
  const running = toolDefinitionOf(codeTools({ timeout: 60_000 }).run_code).run({ code: 'for (;;);' }, { signal: stop.signal } as never)
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
})

test('limits that do not fit are refused', () => {
  expect(() => codeTools({ timeout: 0 })).toThrow('codeTools: timeout is 0')
  expect(() => codeTools({ memory: 1 })).toThrow('memory is 1')
})

const double = { name: 'double', description: 'Doubles x.', input: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } }
const code = 'return input.x * 2'
const calls = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const lastText = (model: ReturnType<typeof scriptedModel>): string => JSON.stringify(model.requests.at(-1)?.prompt.at(-1))

test('a tool that a model writes is asked about with its whole code, and is used afterwards, also after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loom-code-'))
  const database = join(folder, 'loom.db')
  const long = `/* ${'x'.repeat(50_000)} */ ${code}`
  const shown: unknown[] = []
  const onQuestion = ({ call }: { readonly call?: { readonly input: Json } }) => {
    shown.push(call?.input)
    return approve()
  }
  const first = sqlite(database)
  const writing = scriptedModel([calls('create_tool', { ...double, code: long }), calls('use_tool', { name: 'double', input: { x: 4 } }), 'Done.'])
  await agent({ name: 'writer', model: writing, journal: first, tools: codeTools() }).run('Double 4.', { thread: 't', onQuestion })
  await first.close()
  expect(shown).toEqual([{ ...double, code: long }])
  expect(lastText(writing)).toContain('{"result":8}')

  const second = sqlite(database)
  const using = scriptedModel([calls('use_tool', { name: 'double', input: { x: 21 } }), 'Done.'])
  await agent({ name: 'writer', model: using, journal: second, tools: codeTools() }).run('Double 21.', { thread: 't' })
  await second.close()
  rmSync(folder, { recursive: true, force: true })
  expect(lastText(using)).toContain('{"result":42}')
})

test('a tool that was rejected, or answered for, is not there, and the model reads which are', async () => {
  const journal = memoryJournal()
  const attempt = async (answer: () => ReturnType<typeof approve | typeof reject | typeof respond>): Promise<string> => {
    const model = scriptedModel([calls('create_tool', { ...double, code }), calls('use_tool', { name: 'double', input: { x: 1 } }), 'Done.'])
    await agent({ name: 'a', model, journal, tools: codeTools() }).run('Go.', { thread: 't', onQuestion: answer })
    return lastText(model)
  }
  expect(await attempt(() => reject('no'))).toContain('No tool \\"double\\" was made on this thread. Make it with create_tool.')
  expect(await attempt(() => respond('The tool is there.'))).toContain('No tool \\"double\\" was made')
  expect(await attempt(() => approve())).toContain('{"result":2}')
  const other = scriptedModel([calls('use_tool', { name: 'triple' }), calls('use_tool', { name: 'double', input: { x: 'a' } }), 'Done.'])
  await agent({ name: 'a', model: other, journal, tools: codeTools() }).run('Go.', { thread: 't' })
  expect(JSON.stringify(other.requests[1]?.prompt.at(-1))).toContain('There are:\\ndouble: Doubles x.')
  expect(lastText(other)).toContain('The input does not fit double')
  expect(lastText(other)).not.toContain('..')
})

test('the tools of a thread are listed: for the model, with the code of one, and for programs, as they were at any moment', async () => {
  const journal = memoryJournal()
  const first = scriptedModel([calls('list_tools', {}), calls('create_tool', { ...double, code }), calls('list_tools', { name: 'double' }), 'Done.'])
  const options = { name: 'a', journal, tools: codeTools() }
  await agent({ ...options, model: first }).run('Go.', { thread: 't', onQuestion: () => approve() })
  expect(JSON.stringify(first.requests[1]?.prompt.at(-1))).toContain('No tool was made on this thread.')
  expect(lastText(first)).toContain('double: Doubles x.')
  expect(lastText(first)).toContain(`Its code:\\n${code}`)
  const [made] = await writtenTools(journal, 't')
  expect(made).toEqual({ ...double, code, seq: made?.seq })
  expect(await writtenTools(journal, 't', (made?.seq ?? 1) - 1)).toEqual([])

  const again = { ...double, description: 'Doubles x, again.', code: 'return input.x + input.x' }
  const model = scriptedModel([
    calls('create_tool', { ...double, name: 'triple', code: 'return input.x * 3' }),
    calls('create_tool', again),
    calls('list_tools', {}),
    calls('list_tools', { name: 'half' }),
    'Done.',
  ])
  await agent({ ...options, model }).run('Go.', { thread: 't', onQuestion: () => approve() })
  expect(JSON.stringify(model.requests[3]?.prompt.at(-1))).toMatch(/triple: .*double: Doubles x, again/)
  expect(lastText(model)).toContain('No tool \\"half\\" was made on this thread. There are:')
  expect((await writtenTools(journal, 't')).map(({ name, description }) => [name, description])).toEqual([
    ['triple', 'Doubles x.'],
    ['double', 'Doubles x, again.'],
  ])
  await expect(writtenTools(journal, 'nobody')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
})

test.each([
  [{ name: 'no name' }, 'cannot be the name of a tool'],
  [{ input: { type: 'string' } }, 'must have the type object'],
  [{ input: { type: 'object', properties: { a: { pattern: '(a+)+b' } } } }, 'The schema has pattern, which is not allowed.'],
  [{ input: { type: 'object', patternProperties: { a: {} } } }, 'The schema has patternProperties'],
  [{ input: { type: 'object', properties: { a: { enum: ['x'.repeat(10_000)] } } } }, 'Use 10000 at most.'],
  [{ code: 'return "\u202Esafe"' }, 'The code has the character U+202E, which cannot be seen.'],
  [{ description: 'harmless\u200B' }, 'The description has the character U+200B'],
  [{ code: 'return (' }, 'SyntaxError'],
])('a definition that people could not judge, or that is not well formed, is refused: %#', async (part, words) => {
  const definition = toolDefinitionOf(codeTools().create_tool)
  const refusal = await definition.run({ ...double, code, ...part }, { signal: new AbortController().signal } as never)
  expect(message(refusal)).toContain(words)
})

test('a property of a schema may be called pattern', async () => {
  const definition = toolDefinitionOf(codeTools().create_tool)
  const given = { ...double, code, input: { type: 'object', properties: { pattern: { type: 'string' } } } }
  expect(await definition.run(given, { signal: new AbortController().signal } as never)).toContain('The tool is there.')
})

test('rules name written tools', async () => {
  const model = scriptedModel([
    calls('create_tool', { ...double, code }),
    { calls: [{ tool: 'use_tool', input: { name: 'double', input: { x: 1 } } }] },
    'Done.',
  ])
  const permissions = { 'use_tool(dou*)': 'deny', default: 'allow' } as const
  await agent({ model, tools: codeTools(), permissions }).run('Go.', { onQuestion: () => approve() })
  expect(lastText(model)).toContain('use_tool(dou*)')
})
