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
    await expect(assertSameRun(denied, pathToFileURL(journal), { accept: true })).rejects.toMatchObject({ name: 'RunDivergence' })
    vi.stubEnv('CI', 'true')
    await expect(assertSameRun(player({ instructions: '' }), pathToFileURL(journal), { accept: true })).rejects.toThrow('CI is set')
    expect(readFileSync(journal, 'utf8')).toBe(before)
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
