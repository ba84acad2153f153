/** A tool whose effect class depends on its arguments. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { noted } from '@loom-agent/agent/kit'
import { chaos, chaosText, scriptedModel, steadyModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from './journals.ts'

const input = z.object({ method: z.string().default('GET') })
const effect = ({ method }: { method: string }) => (method === 'GET' ? 'read' : 'unsafe')
const call = (method?: string) => ({ calls: [{ tool: 'send', input: method === undefined ? {} : { method } }] })

describe('an effect class by arguments', () => {
  test('is recorded with each call, by the arguments as the schema made them', async () => {
    const journal = memoryJournal()
    const send = tool({ name: 'send', input, effect, run: () => 'sent' })
    await agent({ model: scriptedModel([call(), call('POST'), 'Done.']), journal, tools: [send] }).run('Go.', { thread: 't' })
    expect((await factsOf({ journal }, 't', 'tool.started')).map(({ data }) => data.effect)).toEqual(['read', 'unsafe'])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('x'))],
    ['returns no class', () => 'harmless'],
    ['needs a check that is not there', () => 'reconcilable'],
    [
      'fails',
      () => {
        throw new Error('x')
      },
    ],
  ])('that %s is unsafe', async (_, bad) => {
    const journal = memoryJournal()
    const send = tool({ name: 'send', input, effect: bad as never, run: () => 'sent' })
    await agent({ model: scriptedModel([call(), 'Done.']), journal, tools: [send] }).run('Go.', { thread: 't' })
    expect((await factsOf({ journal }, 't', 'tool.started')).map(({ data }) => data.effect)).toEqual(['unsafe'])
  })

  test('decides what a rule says about the call', async () => {
    const sent: string[] = []
    const send = tool({ name: 'send', input, effect, run: ({ method }) => sent.push(method) })
    const permissions = { rules: [{ tool: '*', effect: 'read', verdict: 'allow' }], default: 'deny' } as const
    await agent({ model: scriptedModel([call(), call('POST'), 'Done.']), tools: [send], permissions }).run('Go.')
    expect(sent).toEqual(['GET'])
  })

  test('decides what happens to the call after a crash, and what a fork risks', async () => {
    const world = () => ({ keys: [] as string[] })
    const askedFor = (method: string) =>
      chaos(
        ({ journal, world: { keys } }) => {
          const send = tool({ name: 'send', input, effect, run: (_, { key }) => keys.push(key) && 'sent' })
          return agent({ model: steadyModel([call(method), 'Done.']), journal, tools: [send] })
        },
        { inputs: ['Go.'], world, observe: ({ keys }) => new Set(keys).size },
      )
    const unsafe = await askedFor('POST')
    expect(chaosText(unsafe)).not.toContain('duplicate')
    expect(unsafe.asked).toBeGreaterThan(0)
    expect((await askedFor('GET')).asked).toBe(0)

    const send = tool({ name: 'send', input, effect, run: () => 'sent' })
    const helper = agent({ model: scriptedModel([call(), call('POST'), 'Done.']), tools: [send] })
    await helper.run('Go.', { thread: 't' })
    const { calls, unsafe: risked } = await helper.planFork('t@3', { effects: 'live' })
    expect(calls.map((planned) => planned.effect)).toEqual(['read', 'unsafe'])
    expect(risked).toHaveLength(1)
  })
})

describe('notes on a result', () => {
  test('are stored with the call, and the model does not read them', async () => {
    const journal = memoryJournal()
    const model = scriptedModel([{ calls: [{ tool: 'a' }, { tool: 'b' }, { tool: 'c' }] }, 'Done.'])
    const looksLikeIt = () => ({ value: 'x', meta: { forged: true } })
    const tools = { a: () => noted('plain', { source: 'cache' }), b: () => noted(new Error('no'), { source: 'open' }), c: looksLikeIt }
    await agent({ model, journal, tools }).run('Go.', { thread: 't' })
    const ends = (await factsOf({ journal }, 't', 'tool.finished')).map(({ data }) => [data.status, data.output.value, data.meta])
    expect(ends).toEqual([
      ['success', 'plain', { source: 'cache' }],
      ['error', 'b failed: no', { source: 'open' }],
      ['success', { value: 'x', meta: { forged: true } }, undefined],
    ])
    expect(JSON.stringify(model.requests[1]?.prompt)).not.toContain('cache')
  })
})
