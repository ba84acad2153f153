/** What a hook returns by mistake counts as a throw of that hook (HOOK-1): it is never journaled, and no run hangs on it. */
import { agent, answerWith, type Hook, skip, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const act = tool({ name: 'act', effect: 'read', run: () => 'ran' })
const calling = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'end' : { calls: [{ tool: 'act' }] }))
const text = { type: 'text', value: 'x' } as const
const points = [
  'beforeIterationStart',
  'beforeContextAssembly',
  'afterContextAssembly',
  'beforeModelCall',
  'afterModelReply',
  'beforeRecursion',
] as const

/** A run with one hook that returns a value at a point. */
async function runWith(point: keyof Hook, value: unknown): Promise<{ message: string; status: string; patches: readonly unknown[] }> {
  const worker = agent({ model: calling(), tools: [act], hooks: [{ name: 'mine', [point]: () => value } as Hook] })
  const result = await worker.run('x', { thread: 't' })
  const events = await worker.journal.read('t')
  const patches = events.flatMap((event) => (event.type === 'hook.applied' && event.data.hook === 'mine' ? [event.data.patch] : []))
  return { message: result.status === 'failed' ? `${result.error.code} ${result.error.message}` : result.text, status: result.status, patches }
}

describe('a decision that only a call takes', () => {
  test.each(points.flatMap((point) => [[point, 'skip()', skip('x')] as const, [point, 'answerWith()', answerWith(text)] as const]))(
    'at %s, %s fails the run',
    async (point, name, returned) => {
      const { message, patches } = await runWith(point, returned)
      expect(message).toContain(`LOOM_HOOK_FAILED The hook "mine" threw at ${point}: it returned ${name}, which only beforeToolExecution takes.`)
      expect(patches).toEqual([])
    },
  )

  test('after a call replaces its result by an error that the model reads', async () => {
    const model = calling()
    const worker = agent({ model, tools: [act], hooks: [{ afterToolExecution: () => skip('x') as never }] })
    expect((await worker.run('x')).status).toBe('done')
    expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain('it returned skip()')
  })
})

const mistakes: readonly (readonly [keyof Hook, unknown, string])[] = [
  ['beforeModelCall', { messages: 'x' }, 'messages is "x". Give a list of messages.'],
  ['beforeModelCall', { messages: [{ role: 'user', content: 'hi' }] }, 'one of its messages is {"role":"user","content":"hi"}'],
  ['beforeModelCall', { messages: [{ role: 'bot', content: [] }] }, 'one of its messages is {"role":"bot"'],
  ['beforeModelCall', { settings: 'x' }, 'settings is "x"'],
  ['beforeIterationStart', { settings: { temprature: 1 } }, 'Did you mean "temperature"?'],
  ['beforeIterationStart', { message: 'x' }, 'has no option "message"'],
  ['beforeIterationStart', { say: 5 }, 'say is 5. Give a text.'],
  ['afterContextAssembly', { instructions: 5 }, 'instructions is 5'],
  ['afterModelReply', { parts: 'x' }, 'parts is "x". Give a list of parts'],
  ['afterModelReply', { parts: [null] }, 'parts[0] is null'],
  ['afterModelReply', { parts: [{ type: 'texxt' }] }, 'parts[0] is {type}'],
  ['afterModelReply', { parts: [{ type: 'call', tool: 'act' }] }, 'parts[0] is {type, tool}'],
  ['afterModelReply', {}, 'parts is undefined'],
]
test.each(mistakes)('%s that returns %j fails the run, and nothing of it is journaled', async (point, returned, named) => {
  const { message, status, patches } = await runWith(point, returned)
  expect([status, patches]).toEqual(['failed', []])
  expect(message).toContain(`The hook "mine" threw at ${point}`)
  expect(message).toContain(named)
})

test.each([
  [{ status: 'ok' }, 'status is \\"ok\\". Give one of success, error, warning.'],
  [{ result: 'x' }, 'has no option \\"result\\"'],
])('afterToolExecution that returns %j is an error that the model reads', async (returned, named) => {
  const model = calling()
  await agent({ model, tools: [act], hooks: [{ afterToolExecution: () => returned as never }] }).run('x')
  expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain(named)
})
