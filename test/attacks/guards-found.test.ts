/** Ways past guards: what is no text, what hooks give, more than one question. */
import { agent, approve, content, type Guard, type Hook, reject, tool } from '@loom-agent/agent'
import { piiGuard, secretsGuard } from '@loom-agent/agent/guards'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../support/threads.ts'

const card = 4_111_111_111_111_111
const mail = 'ann@example.com'
const guards = [secretsGuard(), piiGuard()]

/** What is stored of a run, and what the model was sent. */
async function seen(
  run: (options: { model: ReturnType<typeof scriptedModel> }) => {
    agent: ReturnType<typeof agent>
    input: Parameters<ReturnType<typeof agent>['run']>[0]
  },
) {
  const model = scriptedModel([{ calls: [{ tool: 'find' }] }, 'Done.'])
  const { agent: one, input } = run({ model })
  await one.run(input, { thread: 't' })
  return `${JSON.stringify(await eventsOf(one, 't'))}${JSON.stringify(model.requests.map(({ prompt }) => prompt))}`
}
const plain = tool({ effect: 'read', run: () => 'Nothing.' })

describe('what is no text of its own', () => {
  test.each<[string, unknown]>([
    ['a number', { card }],
    ['a number in a list', [[card]]],
    ['a short number under a name', { password: 482_913 }],
    ['a name of a file', content([{ type: 'file', data: 'QQ==', mediaType: 'text/plain', name: `${mail}.txt` }])],
    ['data of a part', content([{ type: 'data', data: { card, mail } }])],
  ])('%s in a result is looked at', async (_, value) => {
    const find = tool({ effect: 'read', run: () => value })
    const text = await seen(({ model }) => ({ agent: agent({ model, tools: { find }, guards }), input: 'Go.' }))
    expect(text).toMatch(/\[(?:card|email|redacted)\]/)
    for (const secret of [String(card), mail, '482913']) expect(text).not.toContain(secret)
  })

  test('data and names of files in an input are looked at', async () => {
    const input = [
      { type: 'data', data: { card, who: { mail } } },
      { type: 'file', data: 'QQ==', mediaType: 'text/plain', name: `${mail}.txt` },
    ] as const
    const text = await seen(({ model }) => ({ agent: agent({ model, tools: { find: plain }, guards }), input }))
    for (const secret of [String(card), mail]) expect(text).not.toContain(secret)
    expect(text).toContain('[card]')
  })

  test('numbers that no guard changes stay numbers', async () => {
    const value = { id: 123_456_789, ratio: 0.123_456_7, year: 2026 }
    const find = tool({ effect: 'read', run: () => value })
    expect(await seen(({ model }) => ({ agent: agent({ model, tools: { find }, guards }), input: 'Go.' }))).toContain(JSON.stringify(value))
  })
})

test('parts that a hook gives in place of a result are looked at before the model reads them', async () => {
  const giving: Hook = {
    name: 'giving',
    afterToolExecution: () => ({ output: { type: 'parts', value: [{ type: 'text', text: `It is ${mail}.` }] } }),
  }
  const model = scriptedModel([{ calls: [{ tool: 'find' }] }, 'Done.'])
  await agent({ model, tools: { find: plain }, guards, hooks: [giving] }).run('Go.')
  expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain('It is [email].')
})

describe('where several guards ask', () => {
  const asking = (name: string, at: 'input' | 'result' | 'output'): Guard => ({ name, [at]: () => ({ ask: `what ${name} has seen?` }) }) as Guard
  test.each(['input', 'result', 'output'] as const)('about an %s, one question has what each of them asks', async (at) => {
    const prompts: string[] = []
    const model = scriptedModel([{ calls: [{ tool: 'find' }] }, 'Done.'])
    const one = agent({
      model,
      tools: { find: plain },
      guards: [asking('one', at), asking('two', at)],
      onQuestion: ({ prompt }) => {
        prompts.push(prompt)
        return prompts.length > 3 ? reject() : approve()
      },
    })
    expect((await one.run('Go.')).status).toBe('done')
    for (const prompt of prompts) expect(prompt).toMatch(/^one asks about .*: what one has seen\?\ntwo asks about .*: what two has seen\?$/)
    expect(prompts.length).toBeGreaterThan(0)
  })
})
