/** Names and values that people bring from other libraries get an error that names Loom's own. */
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { agent, tool } from '../src/index.ts'

function refusal(make: () => unknown): { code: string; message: string } | undefined {
  try {
    make()
  } catch (error) {
    if (isLoomError(error)) return { code: error.code, message: error.message }
    throw error
  }
  return undefined
}

const ofAgent = (options: object): unknown => refusal(() => agent(options as Parameters<typeof agent>[0]))
const ofTool = (definition: object): unknown => refusal(() => tool({ run: () => 1, ...definition } as Parameters<typeof tool>[0]))
const unknown = (text: string): unknown => ({ code: 'LOOM_OPTION_UNKNOWN', message: expect.stringContaining(text) })

describe('an agent that is given', () => {
  test.each([
    ['system', 'instructions'],
    ['systemPrompt', 'instructions'],
    ['maxSteps', 'limits: { turns }'],
    ['maxTurns', 'limits: { turns }'],
    ['recursionLimit', 'limits: { turns }'],
    ['temperature', 'settings: { temperature }'],
    ['maxTokens', 'settings: { maxOutputTokens }'],
    ['modelSettings', 'settings'],
    ['handoffs', 'tools'],
    ['outputType', 'output'],
    ['checkpointer', 'journal'],
    ['maxRetries', 'behaviour: { attempts }'],
    ['instuctions', 'instructions'],
  ])('%s gets an error that suggests %s', (name, own) => {
    expect(ofAgent({ [name]: 1 })).toEqual(unknown(`agent() has no option "${name}". Did you mean "${own}"?`))
  })

  test.each(['prompt', 'messages'])('%s gets an error that says where the input goes', (name) => {
    expect(ofAgent({ name: 'math', [name]: 'Hi' })).toEqual(unknown(`agent math has no option "${name}". Give it to the run`))
  })

  test('a name that no library uses gets an error that lists all options', () => {
    expect(ofAgent({ flavour: 'vanilla' })).toEqual(unknown('Options of agent(): name, description, instructions'))
  })

  test.each([
    ['a path', 'x.db', 'journal must be a journal object, not "x.db". Did you mean sqlite("x.db")? Import sqlite from \'loom-agent\'.'],
    ['an address', 'postgres://h/d', 'Did you mean postgres("postgres://h/d")? Import postgres from'],
    ['a function', () => {}, 'not a function. Call it: journal: memoryJournal().'],
    ['nothing that could be one', 7, 'not a number. Leave it out to keep runs in memory'],
    ['null', null, 'not null.'],
  ])('%s as its journal gets an error that shows how a journal is made', (_, journal, text) => {
    expect(ofAgent({ journal })).toEqual({ code: 'LOOM_OPTION_INVALID', message: expect.stringContaining(text) })
  })
})

describe('a tool that is given', () => {
  test.each([
    ['execute', 'run'],
    ['inputSchema', 'input'],
    ['parameters', 'input'],
    ['schema', 'input'],
    ['needsApproval', "permission: 'ask'"],
  ])('%s gets an error that suggests %s', (name, own) => {
    expect(ofTool({ [name]: {} })).toEqual(unknown(`tool() has no option "${name}". Did you mean "${own}"?`))
  })
})

test('a run that is given the name of a session gets an error that suggests the thread', () => {
  const talker = agent({ name: 'talker', model: scriptedModel('Hi.') })
  expect(refusal(() => talker.start('Hi', { sessionId: 'a' } as object))).toEqual(unknown('Did you mean "thread"?'))
  expect(refusal(() => talker.start('Hi', { limits: { maxTurns: 1 } } as object))).toEqual(unknown('Did you mean "turns"?'))
})

test('the reason of a run that reached a limit is a sentence', async () => {
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const endless = agent({ model: scriptedModel(() => ({ calls: [{ tool: 'look' }] })), tools: [look], limits: { turns: 1 } })
  expect(await endless.run('Look.')).toMatchObject({
    status: 'stopped',
    reason: expect.stringMatching(/^The limit of 1 turn is reached \(1 turn used\)\./),
  })
})
