/** What is meant to change is accepted, once, and never silently. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { memoryJournal } from '@loom-agent/agent'
import { assertSameAgent, assertSameRun, type Regression, scriptedModel, writeRegression } from '@loom-agent/testing'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { add, agentOf, calls, look, type Options, type Player, type Scenario } from './scenarios.ts'

const root = mkdtempSync(join(tmpdir(), 'loom-accept-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const scenario: Pick<Scenario, 'options'> = { options: () => ({ instructions: 'Be kind.', tools: { look, add } }) }
const player = (changed: Options = {}): Player => agentOf(scenario, changed)

/** Records a run of the agent into a folder. */
async function recorded(folder: string, name: string, value?: Player): Promise<Regression> {
  const journal = memoryJournal()
  const says = [calls(['look', { at: name }], ['add', { a: 1, b: 2 }]), 'Done.']
  await agentOf(scenario, { model: scriptedModel(says), journal }).run(`Go ${name}.`, { thread: name })
  return writeRegression(journal, name, { folder, name, agent: { module: './agent.ts', export: 'player', ...(value && { value }) } })
}

const fresh = (): string => join(root, String(folders++))

let warned: string[] = []
beforeEach(() => {
  warned = []
  vi.stubEnv('CI', '')
  vi.stubEnv('LOOM_ACCEPT', '')
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warned.push(text))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('a change that is meant', () => {
  test('is accepted by the environment: new requests, old replies, a diff to review, and a green test afterwards', async () => {
    const folder = fresh()
    const { journal, fixture } = await recorded(folder, 'one')
    const file = pathToFileURL(journal)
    const brief = player({ instructions: 'Be brief.' })
    await expect(assertSameRun(brief, file)).rejects.toThrow('run the test with LOOM_ACCEPT=1')
    vi.stubEnv('LOOM_ACCEPT', '1')
    await assertSameRun(brief, file)
    vi.stubEnv('LOOM_ACCEPT', '')
    expect(warned.join()).toMatch(/accepted in .*one\.journal\.json[\s\S]*- "Be kind\."\n\+ "Be brief\."/)
    await assertSameRun(brief, file)
    await expect(assertSameRun(player(), file)).rejects.toMatchObject({ recorded: 'Be brief.', replayed: 'Be kind.' })
    const replies = (text: string): readonly string[] => text.split('\n').filter((line) => line.includes('"model.replied"'))
    expect(replies(readFileSync(file, 'utf8'))).toEqual(
      fixture.threads[0]?.events.filter(({ type }) => type === 'model.replied').map((event) => expect.stringContaining(JSON.stringify(event))),
    )
    expect(readdirSync(folder).sort()).toEqual(['one.journal.json', 'one.test.ts'])
  })

  test('is accepted by the option; without a change nothing is written', async () => {
    const { journal } = await recorded(fresh(), 'one')
    const before = readFileSync(journal, 'utf8')
    await assertSameRun(player(), pathToFileURL(journal), { accept: true })
    expect([readFileSync(journal, 'utf8'), warned]).toEqual([before, []])
    await assertSameRun(player({ tools: { look, add, more: add } }), pathToFileURL(journal), { accept: true })
    expect(warned.join()).toContain('context.assembled.rebase.tools')
  })

  test('is not accepted where CI is set, without a file, or when the run takes another path', async () => {
    const { journal, fixture } = await recorded(fresh(), 'one')
    const before = readFileSync(journal, 'utf8')
    await expect(assertSameRun(player(), fixture, { accept: true })).rejects.toThrow('the fixture is no file')
    const denied = player({ permissions: { look: 'deny', add: 'allow' } })
    await expect(assertSameRun(denied, pathToFileURL(journal), { accept: true })).rejects.toMatchObject({
      name: 'RunDivergence',
      message: expect.stringMatching(/It was not accepted: .* record the run again with writeRegression\.$/),
    })
    vi.stubEnv('CI', 'true')
    await expect(assertSameRun(player({ instructions: '' }), pathToFileURL(journal), { accept: true })).rejects.toThrow('CI is set')
    expect(readFileSync(journal, 'utf8')).toBe(before)
  })
})

describe('what all recorded runs share', () => {
  type Part = readonly [what: string, before: Options, after: Options]
  const price = (): number => 0
  const kid = agentOf({ options: () => ({}) }, { model: scriptedModel(() => 'Yes.') })
  const parts: readonly Part[] = [
    ['instructions', { instructions: 'One.' }, { instructions: 'Two.' }],
    ['instructions where there were none', { instructions: '' }, { instructions: 'Two.' }],
    ['a temperature', { settings: { temperature: 0 } }, { settings: { temperature: 1 } }],
    ['settings where there were none', {}, { settings: { maxOutputTokens: 100 } }],
    ['tools where there were none', { tools: {} }, { tools: { look } }],
    ['a limit of turns', { limits: { turns: 9 } }, { limits: { turns: 19 } }],
    ['a limit of tokens', { limits: { tokens: 90_000 } }, { limits: { tokens: 80_000 } }],
    ['a limit of tokens where there was none', {}, { limits: { tokens: 90_000 } }],
    ['instructions of an agent with a limit of tokens', { limits: { tokens: 90_000 } }, { limits: { tokens: 90_000 }, instructions: 'Two.' }],
    ['a limit of cost where there was none', { ports: { price } }, { ports: { price }, limits: { cost: 90_000 } }],
    ['a limit of tokens that a child has a part of', { tools: { kid } }, { tools: { kid }, limits: { tokens: 90_000 } }],
  ]
  const bothWays = parts.flatMap(([what, before, after]) => [
    [`${what} (new)`, before, after] as const,
    [`${what} (as it was)`, after, before] as const,
  ])

  test.each(bothWays)('fails one test when it changes: %s', async (_what, before, after) => {
    const folder = fresh()
    const journal = memoryJournal()
    const calling = before.tools && 'kid' in before.tools ? [calls('kid'), 'Done.'] : ['Done.']
    await player({ ...before, model: scriptedModel(calling), journal }).run('Go.', { thread: 'one' })
    const agent = { module: './agent.ts', export: 'player', value: player(before) }
    const written = await writeRegression(journal, 'one', { folder, name: 'one', agent })
    const [file, shared] = [pathToFileURL(written.journal), pathToFileURL(join(folder, 'player.shared.json'))]
    await assertSameRun(player(before), file)
    await assertSameRun(player(after), file)
    await expect(assertSameAgent(player(after), shared)).rejects.toMatchObject({ name: 'RunDivergence' })
    // What is accepted is what a new recording has.
    await assertSameAgent(player(after), shared, { accept: true })
    await assertSameRun(player(after), file)
    await assertSameRun(player(after), file, { accept: true })
    const again = memoryJournal()
    await player({ ...after, model: scriptedModel(calling), journal: again }).run('Go.', { thread: 'one' })
    const anew = await writeRegression(again, 'one', { folder: fresh(), name: 'one', agent: { ...agent, value: player(after) } })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(anew.journal, 'utf8'))
  })
})

describe('one prompt change', () => {
  test('fails one test with one message, not every recorded test of the agent', async () => {
    const folder = fresh()
    const written = [await recorded(folder, 'one', player()), await recorded(folder, 'two', player()), await recorded(folder, 'three', player())]
    expect(readdirSync(folder).filter((name) => name.includes('shared'))).toEqual(['player.shared.json', 'player.shared.test.ts'])
    expect(readFileSync(written[0]?.journal ?? '', 'utf8')).not.toContain('Be kind.')
    const shared = pathToFileURL(join(folder, 'player.shared.json'))
    const brief = player({ instructions: 'Be brief.' })
    for (const { journal } of written) await assertSameRun(brief, pathToFileURL(journal))
    await expect(assertSameAgent(brief, shared)).rejects.toMatchObject({ step: 'agent player, instructions', recorded: 'Be kind.' })
    await assertSameAgent(player(), shared)
    await assertSameAgent(brief, shared, { accept: true })
    await assertSameAgent(brief, shared)
    // What is not shared is compared by each.
    const denied = player({ permissions: { look: 'deny', add: 'allow' } })
    for (const { journal } of written) await expect(assertSameRun(denied, pathToFileURL(journal))).rejects.toMatchObject({ name: 'RunDivergence' })
  })
})
