import { agent, type CompressOptions, type ContextStrategy, compress, pipeline, type Reminder, reminders, todo, tool } from '@loom-agent/agent'
import { checkContexts, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const limits = { turns: 1000, loop: false } as const
const look = tool({ name: 'look', effect: 'read', run: () => `seen ${'x y '.repeat(300)}` })
const fail = tool({
  name: 'fail',
  effect: 'read',
  run: () => {
    throw new Error('No.')
  },
})
const calling = (...names: readonly string[]): ScriptedReply => ({ calls: names.map((name) => ({ tool: name })) })
const many = (count: number, reply: ScriptedReply): readonly ScriptedReply[] => Array.from({ length: count }, () => reply)
const setting = (...statuses: readonly string[]): ScriptedReply => ({
  calls: [{ tool: 'todo', input: { todos: statuses.map((status, index) => ({ text: `task ${index}`, status })) } }],
})

/** Runs a script, and returns which reminders were given in which turns, with their words. */
async function given(
  script: readonly ScriptedReply[],
  context: ContextStrategy,
  of: Partial<Parameters<typeof agent>[0]> = {},
): Promise<readonly string[]> {
  const model = scriptedModel([...script, 'Done.'])
  const worker = agent({ model, tools: [look, fail, todo()], context, limits, ...of })
  await worker.run('Go.', { thread: 't' })
  expect(checkContexts(await eventsOf(worker, 't'), model.requests)).toEqual([])
  const facts = await factsOf(worker, 't', 'context.assembled')
  return facts.flatMap(({ data, turn }) =>
    (data.items ?? []).flatMap(({ kind, id, text }) => (kind === 'reminder' ? [`${id} in ${turn}: ${text}`] : [])),
  )
}

const only = (...kinds: readonly Reminder[]): ContextStrategy => reminders({ only: kinds })

describe('of tasks that are open', () => {
  test('comes ten turns after the list was set, and ten turns after the last reminder', async () => {
    expect(await given([setting('done', 'pending', 'in_progress'), ...many(24, calling('look'))], only('todos'))).toEqual([
      'todos in 11: Reminder: 2 tasks of your list are open. Go on with them, or bring the list up to date.',
      'todos in 21: Reminder: 2 tasks of your list are open. Go on with them, or bring the list up to date.',
    ])
  })

  test('does not come when the list was set meanwhile, is done, is empty, or could not be set', async () => {
    const busy = [...many(8, calling('look')), setting('pending')]
    expect(await given([setting('pending'), ...busy, ...busy, ...many(8, calling('look'))], only('todos'))).toEqual([])
    expect(await given([setting('done', 'done'), ...many(20, calling('look'))], only('todos'))).toEqual([])
    expect(await given([setting(), ...many(20, calling('look'))], only('todos'))).toEqual([])
    expect(await given([setting('in_progress', 'in_progress'), ...many(20, calling('look'))], only('todos'))).toEqual([])
  })

  test('comes also when the call that set the list has left the context', async () => {
    const context = pipeline(compress({ max: 3000 }), only('todos'))
    expect((await given([setting('pending'), ...many(30, calling('look'))], context)).map((text) => text.slice(0, 12))).toEqual([
      'todos in 11:',
      'todos in 21:',
      'todos in 31:',
    ])
  })

  test('does not come for a tool of another kind that is called todo', async () => {
    const other = tool({ name: 'todo', effect: 'read', run: () => '- [ ] write {"status":"pending"}' })
    expect(await given([calling('todo'), ...many(20, calling('look'))], only('todos'), { tools: [look, other] })).toEqual([])
  })
})

describe('of calls that fail', () => {
  test('comes when more than half of the last six have failed', async () => {
    expect(await given(many(8, calling('fail')), only('errors'))).toEqual([
      'errors in 7: Reminder: 6 of your last 6 calls have failed. Read the errors, and try another way.',
    ])
    const four = [...many(2, calling('look')), ...many(4, calling('fail'))]
    expect((await given(four, only('errors'))).map((text) => text.slice(0, 24))).toEqual(['errors in 7: Reminder: 4'])
  })

  test('does not come when half of them have failed, nor when only earlier ones have', async () => {
    expect(await given([...many(3, calling('look')), ...many(3, calling('fail'))], only('errors'))).toEqual([])
    expect(await given([...many(3, calling('fail')), ...many(12, calling('look'))], only('errors'))).toEqual([])
    // Of several calls at once the later ones count.
    expect(await given([calling(...Array.from({ length: 6 }, () => 'fail'), ...Array.from({ length: 3 }, () => 'look'))], only('errors'))).toEqual([])
  })

  test('is judged by the same calls, however often reminders may come', async () => {
    const often = reminders({ only: ['errors'], every: 1 })
    expect((await given(many(8, calling('fail')), often)).map((text) => text.slice(0, 12))).toEqual(['errors in 7:', 'errors in 8:', 'errors in 9:'])
  })
})

describe('of a context that is compressed often', () => {
  const within = (options: CompressOptions): ContextStrategy => pipeline(compress(options), only('compression'))

  test('comes with the third compression within thirty turns', async () => {
    const [first, ...others] = await given(many(25, calling('look')), within({ max: 2500 }))
    expect(first).toMatch(/^compression in \d+: Reminder: the conversation was summarized 3 times in \d+ turns\./)
    const turns = [first, ...others].map((text) => Number(/in (\d+)/.exec(text ?? '')?.[1]))
    expect(turns.slice(1).filter((turn, index) => turn - (turns[index] as number) < 10)).toEqual([])
  })

  test('does not come when there is room, nor when the compressions are far apart', async () => {
    expect(await given(many(25, calling('look')), within({ max: 100_000 }))).toEqual([])
    const compressingIn = (...turns: readonly number[]): ContextStrategy => ({
      name: 'compressing',
      assemble: ({ frame: { turn } }) => (turns.includes(turn) ? { compressed: { from: 1, to: 2, summary: 'They looked.', turn } } : {}),
    })
    const after = (...turns: readonly number[]): Promise<readonly string[]> =>
      given(many(50, calling('look')), pipeline(compressingIn(...turns), reminders({ only: ['compression'], every: 100 })))
    expect(await after(2, 18, 33)).toEqual([])
    expect(await after(2, 18, 32)).toEqual([
      expect.stringContaining('compression in 32: Reminder: the conversation was summarized 3 times in 30 turns.'),
    ])
    expect(await after(2, 18)).toEqual([])
  })
})

describe('of a limit that is nearly used', () => {
  test('comes from four fifths on, and names the limit that is used most', async () => {
    const turns = { ...limits, turns: 20 }
    expect(await given(many(19, calling('look')), only('budget'), { limits: turns })).toEqual([
      'budget in 16: Reminder: 80 % of the limit of turns is used. Finish with what you have.',
    ])
    const usage = { input: 900, output: 100 }
    const both = many(9, { ...(calling('look') as object), usage } as ScriptedReply)
    expect((await given(both, only('budget'), { limits: { ...limits, turns: 10, tokens: 8000 } }))[0]).toBe(
      'budget in 8: Reminder: 87 % of the limit of tokens is used. Finish with what you have.',
    )
    const spending = many(9, { ...(calling('look') as object), usage } as ScriptedReply)
    const tokens = { ...limits, turns: 12, tokens: 1_000_000 }
    expect((await given(spending, only('budget'), { limits: tokens })).map((text) => text.slice(0, 12))).toEqual(['budget in 10'])
  })

  test('does not come before', async () => {
    expect(await given(many(14, calling('look')), only('budget'), { limits: { ...limits, turns: 20 } })).toEqual([])
    expect(await given(many(30, calling('look')), only('budget'), { limits: { loop: false, turns: 1000 } })).toEqual([])
  })
})

describe('reminders', () => {
  test('can all be in words of your own', async () => {
    const texts = {
      todos: ({ count }: { count: number }) => `${count} open`,
      errors: ({ count, of }: { count: number; of: number }) => `${count}/${of} failed`,
      compression: ({ count }: { count: number }) => `${count} times`,
      budget: ({ count, limit }: { count: number; limit?: string }) => `${count} of ${limit}`,
    }
    const script = [setting('pending'), ...many(29, calling('fail', 'look', 'fail', 'fail'))]
    const all = await given(script, pipeline(compress({ max: 5000 }), reminders({ texts })), { limits: { ...limits, turns: 31 } })
    const words = new Set(all.map((text) => text.replace(/^(\w+) in \d+: /, '$1: ')))
    const own = /^(budget: \d+ of turns|compression: 3 times|errors: [456]\/6 failed|todos: 1 open)$/
    expect([...words].filter((text) => !own.test(text))).toEqual([])
    expect([...new Set([...words].map((text) => text.split(':')[0]))].sort()).toEqual(['budget', 'compression', 'errors', 'todos'])
  })

  test('are given again by a replay of the thread', async () => {
    const model = scriptedModel([setting('pending'), ...many(20, calling('fail')), 'Done.'])
    const worker = agent({ model, tools: [look, fail, todo()], context: reminders(), limits })
    await worker.run('Go.', { thread: 't' })
    expect((await worker.replay('t')).turns.some(({ differs }) => differs)).toBe(false)
  })

  test('of other kinds are refused', () => {
    expect(() => reminders({ only: ['weather' as never] })).toThrow(/a list of todos, errors, compression, budget/)
    expect(() => reminders({ every: 0 })).toThrow(/every is 0/)
  })
})
