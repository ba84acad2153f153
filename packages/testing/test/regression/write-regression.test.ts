import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertSameRun, type RegressionOptions, redactSecrets, scriptedModel, writeRegression } from '@loom-agent/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scenarios } from './all-scenarios.ts'
import { add, agentOf, answering, calls, type Player, type Scenario } from './scenarios.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-written-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let folders = 0
const fresh = (): string => join(folder, String(folders++))

const options = (more: Partial<RegressionOptions> = {}): RegressionOptions => ({
  folder: fresh(),
  name: 'refund',
  agent: { module: '../src/agent.ts', export: 'support' },
  ...more,
})

/** What is left of a scenario. */
async function played(scenario: Scenario): Promise<Journal> {
  const journal = memoryJournal()
  await scenario.play(agent({ name: 'player', ...scenario.options(), model: scriptedModel(scenario.says), journal } as object) as Player, journal)
  return journal
}

const named = (name: string): Scenario => scenarios.find((scenario) => scenario.name === name) as Scenario

describe('one call', () => {
  test('writes a fixture and a test that can be read', async () => {
    const given = options()
    const written = await writeRegression(await played(named('an approval')), 'thread', given)
    expect(readdirSync(given.folder).sort()).toEqual(['refund.journal.json', 'refund.test.ts'])
    const text = readFileSync(written.test, 'utf8')
    expect(text).toContain("import { support } from '../src/agent.ts'")
    expect(text).toContain('await assertSameRun(support, fixture)')
    expect(text).toContain('2 turns, 2 calls.')
    expect(text.split('\n').length).toBeLessThan(30)
    await assertSameRun(agentOf(named('an approval')), pathToFileURL(written.journal))
    expect(JSON.parse(readFileSync(written.journal, 'utf8'))).toEqual(written.fixture)
  })

  test('leaves existing files unchanged unless overwrite is set', async () => {
    const journal = await played(named('steering'))
    const given = options()
    await writeRegression(journal, 'thread', given)
    await expect(writeRegression(journal, 'thread', given)).rejects.toThrow('is there already')
    writeFileSync(join(given.folder, 'refund.test.ts'), 'changed')
    await writeRegression(journal, 'thread', { ...given, overwrite: true })
    expect(readFileSync(join(given.folder, 'refund.test.ts'), 'utf8')).not.toBe('changed')
  })

  test('imports a default export, too', async () => {
    const { test: path } = await writeRegression(
      await played(named('steering')),
      'thread',
      options({ agent: { module: './a.ts', export: 'default' } }),
    )
    expect(readFileSync(path, 'utf8')).toContain("import agent from './a.ts'")
  })

  test.each([
    ['a name that leads elsewhere', { name: '../refund' }, 'cannot be the name of a file'],
    ['an export that is none', { agent: { module: './a.ts', export: 'a-b' } }, 'is no name that a module can export'],
    ['a module without a name', { agent: { module: ' ', export: 'a' } }, 'has no name'],
  ])('refuses %s', async (_what, more, problem) => {
    await expect(writeRegression(memoryJournal(), 'thread', options(more))).rejects.toThrow(problem)
  })

  test('refuses a thread that is not there, and a child', async () => {
    const journal = await played(named('a child'))
    await expect(writeRegression(journal, 'missing', options())).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    const [child] = await journal.threads({ parent: 'thread' })
    await expect(writeRegression(journal, child?.thread ?? '', options())).rejects.toMatchObject({ code: 'LOOM_THREAD_IS_CHILD' })
    await journal.remove(child?.thread ?? '')
    await expect(writeRegression(journal, 'thread', options())).rejects.toThrow('which is not in this journal')
  })
})

describe('what was not captured is said', () => {
  const leftOf = async (name: string): Promise<string> => (await writeRegression(await played(named(name)), 'thread', options())).leftOut.join('\n')

  test('and depends on the thread', async () => {
    expect(await leftOf('tools side by side')).toContain('what add, look, pay did to the world')
    expect(await leftOf('a durable tool that asks and sleeps')).toMatch(/the steps of errand.*\n.*the clock follows the record \(1 sleep\)/)
    expect(await leftOf('failures of the model, and tries again')).toContain('the clock follows the record (3 retries)')
    expect(await leftOf('hooks that change something')).toContain('what the hooks say look at outside the thread')
    expect(await leftOf('a thread that still waits')).toContain('how it ended: the thread was still open at')
    const plain = await leftOf('a structured answer that is sent back')
    expect(plain).toContain('the model (scripted/script): 3 replies')
    for (const absent of ['did to the world', 'steps', 'clock', 'hooks', 'still open', 'dependencies', 'secrets', 'blob'])
      expect(plain).not.toContain(absent)
  })

  test('dependencies and blobs that are too big', async () => {
    const journal = memoryJournal()
    await agent<object>()({ name: 'player', model: scriptedModel('Hi.'), journal }).run('Go.', { thread: 'thread', deps: {} })
    const blob = (name: string, bytes: number) => ({ $blob: name, bytes })
    const { seq = 0, incarnation = '' } = (await journal.head('thread')) ?? {}
    await journal.append('thread', {
      id: 'blobs',
      incarnation,
      expected: seq,
      time: 1,
      events: [{ type: 'memory.recorded', data: { key: 'k', value: [blob('small', 3), blob('big', 900_000)] } }],
      blobs: new Map([
        ['small', Buffer.from('sk-proj-abcdefghijklmnop1234')],
        ['big', Buffer.from('xyz')],
      ]),
      summary: { status: 'done' },
    })
    const { leftOut, fixture } = await writeRegression(journal, 'thread', options())
    expect(leftOut.join('\n')).toMatch(/the dependencies of r1: .*\n1 blob of 900000 bytes/)
    expect(Object.keys(fixture.blobs ?? {})).toEqual(['small'])
    expect(Buffer.from(fixture.blobs?.['small'] ?? '', 'base64').toString()).toMatch(/^sk-proj-\[redacted:/)
  })

  test('and nothing in a thread can end the comment that says so', async () => {
    const journal = memoryJournal()
    const evil = '*/ process.exit(1) //'
    await agent({ name: 'player', model: scriptedModel('Hi.'), journal }).run('Go.', { thread: evil })
    const { test: path } = await writeRegression(journal, evil, options())
    expect(readFileSync(path, 'utf8').split('*/').length).toBe(2)
  })
})

describe('redaction', () => {
  const keys = [
    'sk-proj-abcdefghijklmnop1234',
    'sk-ant-REDACTED-EXAMPLE',
    'ghp_0123456789abcdefghij0123456789abcdef',
    'github_pat_0123456789abcdefghij',
    'xoxb-123456789012-abcdefghijkl',
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'x'.repeat(35)}`,
    'sk_live_0123456789abcdefghij',
    'glpat-0123456789abcdefghij',
    'npm_0123456789abcdefghij0123456789abcdef',
    'Bearer abcdef0123456789',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
    'postgres://ann:hunter2pass@db.example.com/main',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3V\nS5JJcds3xfn1\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn1',
    'MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn1\n-----END PRIVATE KEY-----',
  ]
  const secretOf = (key: string): string =>
    key.replace(
      /^(-----BEGIN [A-Z ]*-----\n|sk-proj-|sk-ant-|ghp_|github_pat_|xoxb-|AKIA|AIza|sk_live_|glpat-|npm_|Bearer |eyJ|postgres:\/\/ann:)/,
      '',
    )

  test.each(keys)('removes %s, the same way each time, and only once', (key) => {
    const redact = redactSecrets()
    const text = `Use ${key} or "${key}".`
    const clean = redact(text)
    const secret = key.startsWith('postgres') ? 'hunter2pass' : secretOf(key).slice(0, 16)
    expect(clean).not.toContain(secret)
    const marks = clean.match(/\[redacted:[0-9a-f]{6}\]/g) ?? []
    expect([marks.length, new Set(marks).size]).toEqual([2, 1])
    expect(redact(clean)).toBe(clean)
  })

  test.each([
    ['a key whose last line is short', 'MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn1\nS5Jc==\n-----END PRIVATE KEY-----'],
    ['a key with escaped line ends', 'MIIEowIBAAKCAQEA0Z3V\\nS5JJcds3xfn1abcd\\n-----END PRIVATE KEY-----'],
  ])('removes what is left of %s, and no word before it', (_what, key) => {
    expect(redactSecrets()(`The rest: ${key} end`)).toMatch(/^The rest: \[redacted:[0-9a-f]{6}\] end$/)
  })

  test('of a long text without a key leaves it as it is, at once', () => {
    const lines = `${'QUJD'.repeat(19)}\n`.repeat(20_000)
    for (const text of ['QUJD'.repeat(300_000), lines, JSON.stringify(lines)]) expect(redactSecrets()(text)).toBe(text)
  })

  test('removes the given secrets, and nothing else', () => {
    const redact = redactSecrets(['hunter2', 'hunter2-and-more', ''])
    expect(redact('hunter2-and-more, hunter2, task-force, sk-ip, risk-free')).toBe('[secret 2], [secret 1], task-force, sk-ip, risk-free')
  })

  const leaking = (key: string): Scenario => ({
    name: 'leaking',
    says: [calls(['login', { key }], ['big', {}]), `It was ${key}.`],
    options: () => ({
      instructions: `The key is ${key}.`,
      tools: {
        login: tool({ input: z.object({ key: z.string() }), permission: 'ask', run: (input) => ({ in: true, with: input.key }) }),
        big: tool({ effect: 'read', run: () => `${key} ${'x'.repeat(400)}` }),
        add,
      },
      behaviour: { outputLimit: 100 },
    }),
    play: (player) => answering(player, [approve()]),
  })

  test('leaves no secret in the files, and the fixture replays with an agent that knows it', async () => {
    const [key = ''] = keys
    const scenario = leaking(key)
    const written = await writeRegression(await played(scenario), 'thread', options())
    for (const path of [written.journal, written.test]) expect(readFileSync(path, 'utf8')).not.toContain(secretOf(key))
    expect(written.leftOut.join()).toMatch(/\d+ texts with secrets/)
    await assertSameRun(agentOf(scenario), written.fixture)
    const divergence: unknown = await assertSameRun(agentOf(scenario, { instructions: `Another: ${key}` }), written.fixture).catch(
      (error: unknown) => error,
    )
    expect(String(divergence)).toContain('Another: sk-proj-[redacted:')
    expect(String(divergence)).not.toContain(secretOf(key))
  })

  test('can be replaced by another redaction, which is applied on both sides', async () => {
    const scenario = leaking('Ann Smith')
    const redact = (text: string): string => text.replaceAll('Ann Smith', 'A. S.')
    const written = await writeRegression(await played(scenario), 'thread', options({ redact }))
    expect(readFileSync(written.journal, 'utf8')).not.toContain('Smith')
    await assertSameRun(agentOf(scenario), written.fixture, { redact })
    await expect(assertSameRun(agentOf(scenario), written.fixture)).rejects.toMatchObject({ step: 'turn 1, context.assembled.rebase.system' })
  })

  test('of the name of a thread leaves its children where they are', async () => {
    const journal = memoryJournal()
    const { options: made, says } = named('a child')
    const secret = 'user-of-secrets'
    await agent({ name: 'player', ...made(), model: scriptedModel(says), journal } as object).run('Go.', { thread: secret })
    const { fixture } = await writeRegression(journal, secret, options({ redact: redactSecrets([secret]) }))
    expect(fixture.thread).toBe('[secret 1]')
    await assertSameRun(agentOf(named('a child')), fixture)
  })
})

test('the written test runs, and is green', { timeout: 120_000 }, async () => {
  const root = fresh()
  const repository = fileURLToPath(new URL('../../../../', import.meta.url))
  mkdirSync(join(root, 'examples'), { recursive: true })
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  const source = `import { agent, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
export const make = (model, journal) => agent({ name: 'support', model, tools: { look }, journal })
export const support = make(scriptedModel('never asked'))
`
  writeFileSync(join(root, 'examples', 'agent.ts'), source)
  const { make } = (await import(pathToFileURL(join(root, 'examples', 'agent.ts')).href)) as { make: (model: object, journal: Journal) => Player }
  const journal = memoryJournal()
  await make(scriptedModel([calls('look'), 'Done.']), journal).run('Go.', { thread: 'thread' })
  await writeRegression(journal, 'thread', { folder: join(root, 'examples'), name: 'green', agent: { module: './agent.ts', export: 'support' } })
  const vitest = join(repository, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--root', root, '--config', join(repository, 'vitest.config.ts')]
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', VITEST: undefined } })
  expect(stdout).toContain('1 passed')
  expect(status).toBe(0)
})
