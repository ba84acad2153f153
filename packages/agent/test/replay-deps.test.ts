/** Replays and forks of agents whose functions need dependencies. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

interface Shop {
  readonly stock: number
}
const deps: Shop = { stock: 3 }
const model = () => scriptedModel(() => 'ok')
const needs = { instructions: ({ deps: { stock } }: { deps: Shop }) => `stock ${stock}` }
const count = tool<Shop>()({ name: 'count', effect: 'read', run: (_, { deps: { stock } }) => stock })

async function recorded(options: object = needs) {
  const clerk = agent<Shop>()({ name: 'clerk', model: model(), journal: memoryJournal(), ...options })
  await clerk.run('How many?', { thread: 't', deps })
  return clerk
}
const missing = { code: 'LOOM_DEPS_MISSING', message: expect.stringContaining('with: { deps }') }

describe('a replay without the dependencies of its run', () => {
  test.each([
    ['instructions', needs],
    ['tools', { tools: ({ deps: { stock } }: { deps: Shop }) => (stock > 0 ? [count] : []) }],
  ])('is LOOM_DEPS_MISSING where the %s look at them, and says what to give (found: a TypeError)', async (_, options) => {
    const clerk = await recorded(options)
    await expect(clerk.replay('t')).rejects.toMatchObject(missing)
    expect((await clerk.replay('t', { with: { deps } })).divergence).toBeUndefined()
    expect((await clerk.with({ deps }).replay('t')).divergence).toBeUndefined()
  })

  test('needs none where no function looks at them', async () => {
    const clerk = await recorded({ instructions: ({ thread }: { thread: string }) => `thread ${thread}`, tools: [count] })
    expect((await clerk.replay('t')).divergence).toBeUndefined()
  })

  test('of a child says that its parent had them', async () => {
    const clerk = agent<Shop>()({ name: 'clerk', model: model(), ...needs })
    const boss = agent<Shop>()({
      name: 'boss',
      model: scriptedModel([{ calls: [{ tool: 'clerk', input: { prompt: 'go' } }] }, 'ok']),
      tools: [clerk],
    })
    await boss.run('go', { thread: 't', deps })
    const [started] = await factsOf(boss, 't', 'child.started')
    const child = started?.data.child ?? ''
    const alone = clerk.with({ journal: boss.journal })
    await expect(alone.replay(child)).rejects.toMatchObject({ ...missing, cause: expect.any(TypeError) })
    expect((await alone.replay(child, { with: { deps } })).divergence).toBeUndefined()
  })

  test('is reported for each thread by replayAll, which goes on live with them', async () => {
    const clerk = await recorded()
    const [failed] = await Array.fromAsync(clerk.replayAll(['t']))
    expect(failed).toMatchObject({ status: 'failed', error: missing })
    const instructions = ({ deps: { stock } }: { deps: Shop }) => `there are ${stock}`
    const live = { mode: 'continue-live', fork: { limits: { tokens: 10_000 } } } as const
    const [done] = await Array.fromAsync(clerk.replayAll(['t'], { ...live, with: { instructions, deps } }))
    expect(done).toMatchObject({ status: 'replayed', live: { replayed: { runs: [{ status: 'done' }] } } })
  })
})

describe('a fork', () => {
  test('is resumed with the dependencies of its run, and refused without them', async () => {
    const clerk = await recorded()
    const fork = await clerk.fork('t@3', { limits: { tokens: 10_000 } })
    await expect(fork.resume({ deps: undefined as never }).result()).rejects.toMatchObject({ code: 'LOOM_DEPS_MISSING' })
    expect((await fork.resume({ deps }).result()).status).toBe('done')
  })

  test('refuses an option that there is not, as resume does', async () => {
    const clerk = await recorded()
    const fork = await clerk.fork('t@3', { limits: { tokens: 10_000 } })
    expect(() => fork.resume({ deps, onQuestions: () => undefined } as never)).toThrow(expect.objectContaining({ code: 'LOOM_OPTION_UNKNOWN' }))
  })
})

describe('options that count only where a fork goes on live', () => {
  test.each([{ judge: () => true }, { onQuestion: () => undefined }, { fork: { limits: { tokens: 1 } } }])(
    'are refused without it: %o (found: a judge that was never asked)',
    async (given) => {
      const clerk = await recorded()
      const refused = { code: 'LOOM_OPTION_INVALID', message: expect.stringContaining("needs mode: 'continue-live'") }
      await expect(Array.fromAsync(clerk.replayAll(['t'], { with: { deps }, ...given }))).rejects.toMatchObject(refused)
      if ('fork' in given) await expect(clerk.replay('t', { with: { deps }, ...given })).rejects.toMatchObject(refused)
    },
  )
})
