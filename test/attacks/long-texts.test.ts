/**
 * Texts that are written so that reading them takes long. Each of them is so large that a reader which looks at a character more than a few times does
 * not come to the end of the test.
 */
import { agent, explainPermission, jsonSchema, memoryJournal, reminders, tool } from '@loom-agent/agent'
import { createRedactStream } from '@loom-agent/agent/kit'
import { importThread } from '@loom-agent/journals'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { indexSummary } from '../../packages/agent/src/explain/sections.ts'
import { factsOf } from '../support/threads.ts'
import { finish, hostileModel, parts } from './hostile-model.ts'

const blank = '\n'.repeat(1_000_000)

describe('an answer that must fit a schema is read once', () => {
  const answers: readonly [what: string, text: string][] = [
    ['a fence before a million blank lines that is never closed', `\`\`\`json\n${blank}x`],
    ['a fence without a language', `\`\`\`${blank}x`],
    ['a million spaces behind the value', `\`\`\`json\n{}${' '.repeat(1_000_000)}x`],
    ['blank lines before anything', `${blank}\`\`\`json${blank}{}${blank}\`\`\`x`],
  ]
  it.each(answers)('%s', async (_, text) => {
    const result = await agent({ model: scriptedModel(text), output: z.object({}), behaviour: { attempts: 1, repairs: 0 } }).run('Go.')
    expect(result.status).toBe('failed')
  })

  it('and what stands in a fence is read as before', async () => {
    for (const text of ['```json\n{"a":1}\n```', ' \n```\n\n{"a":1}  ```\n', '```json  \n{"a":1}\n\n```', '{"a":1}']) {
      const { output } = (await agent({ model: scriptedModel(text), output: z.object({ a: z.number() }) }).run('Go.')) as { output?: unknown }
      expect(output).toEqual({ a: 1 })
    }
  })
})

describe('what a schema says of arguments is bounded', () => {
  const dots = `${'.'.repeat(200_000)}x`
  const schemas: readonly [what: string, input: NonNullable<Parameters<typeof tool>[0]['input']>, given: object][] = [
    ['a name of dots that a strict object does not know', z.strictObject({}), { [dots]: 1 }],
    ['the same, for a JSON Schema', jsonSchema({ type: 'object', additionalProperties: false }), { [dots]: 1 }],
    ['tens of thousands of values that do not fit', z.object({ list: z.array(z.number()) }), { list: Array.from({ length: 60_000 }, () => '') }],
  ]
  it.each(schemas)('%s', async (_, input, given) => {
    const take = tool({ name: 'take', input, run: () => 'taken' })
    const victim = agent({ model: scriptedModel([{ calls: [{ tool: 'take', input: given }] }, 'Done.']), tools: [take] })
    expect((await victim.run('Go.', { thread: 't' })).status).toBe('done')
    const [ended] = await factsOf(victim, 't', 'tool.finished')
    expect(ended?.data).toMatchObject({ errorType: 'validation' })
    expect(JSON.stringify(ended).length).toBeLessThan(20_000)
  })
})

describe('what a provider says beside its reply is bounded', () => {
  const words = 'e=x1 '.repeat(8_000_000)

  it('an error of 40 MB', async () => {
    const { model } = hostileModel(parts({ type: 'error', error: new Error(words) }))
    const victim = agent({ model, behaviour: { attempts: 1 } })
    expect((await victim.run('Go.', { thread: 't' })).status).toBe('failed')
    expect(JSON.stringify(await factsOf(victim, 't', 'model.failed')).length).toBeLessThan(20_000)
  })

  it('an error that is one word, of which half might be a secret, is not shown in part', async () => {
    const fail = tool({ name: 'fail', effect: 'read', run: () => Promise.reject(new Error('k'.repeat(1_000_000))) })
    const victim = agent({
      model: scriptedModel([{ calls: [{ tool: 'fail' }] }, 'Done.']),
      tools: [fail],
      behaviour: { outputLimit: 1_000_000 },
      ports: { development: false },
    })
    await victim.run('Go.', { thread: 't' })
    expect(JSON.stringify(await factsOf(victim, 't', 'tool.finished'))).toContain('... (1000000 characters)')
    expect(JSON.stringify(await factsOf(victim, 't', 'tool.finished'))).not.toContain('kkkk')
  })

  it('warnings of 40 MB each', async () => {
    const warnings = Array.from({ length: 20 }, () => ({ type: 'other' as const, message: words }))
    const result = await agent({ model: hostileModel(parts({ type: 'stream-start', warnings })).model }).run('Go.')
    expect(result.status).toBe('done')
    expect(JSON.stringify(result.status === 'done' && result.warnings).length).toBeLessThan(20_000)
  })

  it('a start of the stream that comes a hundred thousand times', async () => {
    const message = 'e=x1 '.repeat(400)
    const start = { type: 'stream-start', warnings: Array.from({ length: 20 }, () => ({ type: 'other', message })) } as const
    const { model } = hostileModel((number) => (number < 100_000 ? (start as never) : undefined))
    expect((await agent({ model }).run('Go.')).status).toBe('done')
  })

  it('the reason of the end of a reply', async () => {
    const end = { ...finish, finishReason: { unified: 'x'.repeat(1 << 20), raw: 'x' } } as never
    expect(await agent({ model: hostileModel(parts(end)).model }).run('Go.')).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_REPLY_LIMIT', context: { bound: 'name' } },
    })
  })
})

describe('texts that Loom looks through are read once', () => {
  it('a line of an import with line ends inside of it', async () => {
    const line = `{"a":${'\r'.repeat(1_000_000)}1}`
    await expect(importThread(memoryJournal(), [line])).rejects.toMatchObject({ code: expect.stringMatching(/^LOOM_/) })
  })

  it('a list of tasks that is a million blank lines', async () => {
    let turn = 0
    const todo = tool({ name: 'todo', effect: 'read', run: () => `${blank}x` })
    const act = tool({ name: 'act', effect: 'read', run: () => 'acted' })
    const model = scriptedModel(() => (++turn === 1 ? { calls: [{ tool: 'todo' }] } : turn < 15 ? { calls: [{ tool: 'act' }] } : 'Done.'))
    const limits = { loop: false as const }
    const reminded = agent({ model, tools: [todo, act], limits, context: reminders(), behaviour: { outputLimit: 2_000_000 } })
    expect((await reminded.run('Go.')).status).toBe('done')
  })

  it('a heading of a summary with spaces in it, and lines that all have the same word', () => {
    expect(indexSummary(`# a${' '.repeat(1_000_000)}b\nword`).find('word').line).toBe('word')
    expect(indexSummary('word\n'.repeat(200_000)).find('word').line).toBe('word')
  })

  it('an argument with a hundred thousand marks on a letter, by a rule with a pattern', async () => {
    const path = `a${'\u0301\u0323'.repeat(100_000)}`
    const rules = [{ tool: 'read', input: { path: '/etc/*' }, verdict: 'deny' }] as const
    expect((await explainPermission({ rules, default: 'allow' }, { tool: 'read', input: { path } })).verdict).toBe('allow')
  })
})

it.each(['\n', '\n\n', '\r\n', '\nsecret'])('a stream of texts that begins with %j is redacted to its end', (first) => {
  const stream = createRedactStream()
  expect(`${stream.push(first)}${stream.push('text\n')}${stream.end()}`).toBe(`${first}text\n`)
})
