/** Attacks on the reader of replies, and on what is done with every call of one: the model is the attacker. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { type Draft, decide, fold, place } from '@loom-agent/kernel'
import { defineModel, textTools } from '@loom-agent/models'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../support/threads.ts'
import { endless, finish, type HostileModel, hostileModel, parts, type Sends } from './hostile-model.ts'

const mebi = 1 << 20

/** What a hostile reply comes to: the result, how much was read of it, and the events. */
async function suffer(hostile: HostileModel) {
  const journal = memoryJournal()
  const ran: unknown[] = []
  const take = tool({ name: 'take', effect: 'read', run: (input: unknown) => void ran.push(input) })
  const victim = agent({ name: 'victim', model: hostile.model, tools: [take], journal, limits: { turns: 1 } })
  const result = await victim.run('Go.', { thread: 't' })
  return { result, ran, taken: hostile.taken, events: await eventsOf(journal, 't') }
}

/** The reply ends the run with a typed error that names the bound; the stream is cancelled, and the model is not asked again. */
async function expectBounded(hostile: HostileModel, most: { readonly parts: number; readonly bound: string }) {
  const { result, taken, ran, events } = await suffer(hostile)
  expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_REPLY_LIMIT', context: { bound: most.bound } } })
  expect(result.status === 'failed' && result.error.message).toMatch(new RegExp(`behaviour\\.reply\\.${most.bound}`))
  expect(taken.parts).toBeLessThanOrEqual(most.parts)
  expect(taken).toMatchObject({ requests: 1, isCancelled: true })
  expect(ran).toEqual([])
  expect(JSON.stringify(events).length).toBeLessThan(20 * mebi)
  expect(checkHistory(events)).toEqual([])
}

const bounded = (sends: Sends, most: { readonly parts: number; readonly bound: string }) => expectBounded(hostileModel(sends), most)

const long = 'x'.repeat(10_000)
const call = (number: number, input = '{}', toolName = 'take'): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: `c${number}`,
  toolName,
  input,
})

describe('a stream that does not end', () => {
  it('of text ends the run at the bound of characters', () =>
    bounded(
      endless(() => ({ type: 'text-delta', id: '0', delta: long }), 3_000),
      { parts: 2_000, bound: 'characters' },
    ))

  it('of reasoning ends the run at the same bound', () =>
    bounded(
      endless(() => ({ type: 'reasoning-delta', id: '0', delta: long }), 3_000),
      { parts: 2_000, bound: 'characters' },
    ))

  it('of text and reasoning in turn has one bound for both', () =>
    bounded(
      endless((number) => ({ type: number % 2 ? 'reasoning-delta' : 'text-delta', id: '0', delta: long }), 3_000),
      { parts: 2_000, bound: 'characters' },
    ))

  it('of empty blocks ends at the bound of parts', () =>
    bounded(
      endless((number) => ({ type: 'text-start', id: String(number) }), 100_000),
      { parts: 20_000, bound: 'parts' },
    ))

  it('of blocks that end before they hold anything ends at the bound of parts', () =>
    bounded(
      endless((number) => ({ type: number % 2 ? 'reasoning-end' : 'reasoning-start', id: String(number >> 1) }), 100_000),
      { parts: 40_000, bound: 'parts' },
    ))

  it('of raw parts, which are passed over, ends at the bound of pieces', () =>
    bounded(
      endless(() => ({ type: 'raw', rawValue: 1 }), 1_500_000),
      { parts: 1_100_000, bound: 'pieces' },
    ))

  it('of deltas without a character ends at the bound of pieces', () =>
    bounded(
      endless(() => ({ type: 'text-delta', id: '0', delta: '' }), 1_500_000),
      { parts: 1_100_000, bound: 'pieces' },
    ))

  it('of arguments that never become a call ends at the bound of arguments', () =>
    bounded(
      endless(
        (number) => (number === 0 ? { type: 'tool-input-start', id: 'c', toolName: 'take' } : { type: 'tool-input-delta', id: 'c', delta: long }),
        3_000,
      ),
      { parts: 1_000, bound: 'arguments' },
    ))

  it('of calls ends at the bound of calls, and none of them runs', () =>
    bounded(
      endless((number) => call(number), 5_000),
      { parts: 1_500, bound: 'calls' },
    ))

  it('of calls that the provider has made itself ends at the bound of calls', () =>
    bounded(
      endless((number) => ({ type: 'tool-call', toolCallId: `c${number}`, toolName: 'search', input: '{}', providerExecuted: true }), 5_000),
      { parts: 1_500, bound: 'calls' },
    ))

  it('of sources ends at the bound of parts', () =>
    bounded(
      endless((number) => ({ type: 'source', sourceType: 'url', id: `s${number}`, url: 'https://example.com' }), 30_000),
      { parts: 20_000, bound: 'parts' },
    ))

  it('of files ends at the bound of data', () =>
    bounded(
      endless(() => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'A'.repeat(mebi) } }), 100),
      { parts: 90, bound: 'data' },
    ))

  it('of metadata ends at the bound of data, each piece under a new key', () =>
    bounded(
      endless((number) => ({ type: 'text-delta', id: '0', delta: '', providerMetadata: { hostile: { [`k${number}`]: long.repeat(100) } } }), 100),
      { parts: 90, bound: 'data' },
    ))

  it('goes on no longer when the reply has had its finish', () =>
    bounded((number) => (number === 0 ? finish : number < 3_000 ? { type: 'text-delta', id: '0', delta: long } : undefined), {
      parts: 2_000,
      bound: 'characters',
    }))

  it.each(['v2', 'v3'] as const)('of a model of specification %s has the same bounds', (version) =>
    expectBounded(
      hostileModel(
        endless(() => ({ type: 'text-delta', id: '0', delta: long }), 3_000),
        version,
      ),
      { parts: 2_000, bound: 'characters' },
    ),
  )

  it('that is no web stream, and whose return never settles, is left at the bound', async () => {
    const { model, taken } = hostileModel(parts())
    const stream = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          taken.parts += 1
          return { done: taken.parts > 3_000, value: taken.parts > 3_000 ? finish : { type: 'text-delta', id: '0', delta: long } }
        },
        return: () => {
          taken.isCancelled = true
          return new Promise(() => {})
        },
      }),
    }
    const doStream = async () => {
      taken.requests += 1
      return { stream: stream as never }
    }
    await expectBounded({ model: { ...model, doStream }, taken }, { parts: 2_000, bound: 'characters' })
  })
})

describe('a part that is too large', () => {
  const names: readonly [what: string, part: LanguageModelV4StreamPart][] = [
    ['the name of a call', call(0, '{}', 'n'.repeat(10 * mebi))],
    ['the id of a call', { ...(call(0) as object), toolCallId: 'i'.repeat(10 * mebi) } as LanguageModelV4StreamPart],
    ['the id of a block', { type: 'text-start', id: 'i'.repeat(10 * mebi) }],
    ['the name of arguments that are streamed', { type: 'tool-input-start', id: 'c', toolName: 'n'.repeat(10 * mebi) }],
    ['the type of a file', { type: 'file', mediaType: `image/${'p'.repeat(10 * mebi)}`, data: { type: 'data', data: 'AA' } }],
    ['the name of the model that replied', { type: 'response-metadata', modelId: 'm'.repeat(10 * mebi) }],
  ]
  it.each(names)('in %s ends the run at the bound of names', (_what, part) => bounded(parts(part), { parts: 2, bound: 'name' }))

  it('in a hundred megabytes of arguments is never parsed, and ends the run', () =>
    bounded(parts(call(0, `[${'0,'.repeat(50 * mebi)}0]`)), { parts: 2, bound: 'arguments' }))

  it('in arguments that are small each and large together ends the run', () =>
    bounded(
      endless((number) => call(number, JSON.stringify({ text: 'x'.repeat(200_000) })), 100),
      { parts: 60, bound: 'arguments' },
    ))

  it('in the metadata of a call ends the run at the bound of data', () =>
    bounded(parts({ ...(call(0) as object), providerMetadata: { hostile: { text: 'x'.repeat(70 * mebi) } } } as never), { parts: 2, bound: 'data' }))

  it('in a part of an unknown kind ends the run at the bound of data', () =>
    bounded(parts({ type: 'custom', kind: 'hostile.thing', providerMetadata: { hostile: { text: 'x'.repeat(70 * mebi) } } }), {
      parts: 2,
      bound: 'data',
    }))

  const inputs: readonly [what: string, text: string][] = [
    ['numbers', `{"list":[${'0,'.repeat(200_000)}0]}`],
    ['empty lists', `{"list":[${'[],'.repeat(150_000)}[]]}`],
    ['empty objects', `{"list":[${'{},'.repeat(150_000)}{}]}`],
    ['the words true and null', `{"list":[${'true,null,'.repeat(40_000)}null]}`],
    ['white space', `{"a":1${' '.repeat(400_000)}}`],
  ]
  it.each(inputs)('in %s alone is refused before a tool sees it, and the model can repair it', async (_what, text) => {
    const { ran, result, events } = await suffer(hostileModel(parts(call(0, text))))
    expect(ran).toEqual([])
    expect(result.status).toBe('stopped')
    const [ended] = events.flatMap(({ type, data }) => (type === 'tool.finished' ? [data] : []))
    expect(ended).toMatchObject({
      status: 'error',
      errorType: 'validation',
      output: { value: expect.stringMatching(/characters; 262144 are allowed/) },
    })
  })

  it('in the error that a stream sends is not stored whole', async () => {
    const { events } = await suffer(hostileModel(parts({ type: 'error', error: new Error('e'.repeat(5 * mebi)) })))
    expect(JSON.stringify(events).length).toBeLessThan(mebi)
  })
})

describe('a wrapped model', () => {
  it('that is defined by a function has the bounds of any other', async () => {
    const model = defineModel({ id: 'x/plain', generate: () => ({ text: 'x'.repeat(20 * mebi) }) })
    const result = await agent({ model }).run('Go.')
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_REPLY_LIMIT', context: { bound: 'characters' } } })
  })

  it.each(['```tool\n{"name": "take", "arguments": {"a": "', '```', '\n```tool\n\n', 'See <tool_call>'])(
    'that writes calls as text and never ends the block after %j is bounded too',
    async (start) => {
      let pieces = 0
      const stream = function* () {
        yield start
        for (; pieces < 3_000; pieces += 1) yield start === '\n```tool\n\n' ? ' '.repeat(10_000) : long
      }
      const model = textTools()(defineModel({ id: 'x/plain', stream }))
      const take = tool({ name: 'take', effect: 'read', run: () => 'taken' })
      const result = await agent({ model, tools: [take] }).run('Go.')
      expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_REPLY_LIMIT' } })
      expect(pieces).toBeLessThan(1_500)
    },
  )
})

describe('a reply of many calls', () => {
  const reply = (count: number, serial?: true): readonly Draft[] => {
    const proposed = Array.from(
      { length: count },
      (_, number) => ({ type: 'call', id: `c${number}`, name: 'take', input: {}, ...(serial && { serial }) }) as const,
    )
    const request = { input: [], model: 'm', limits: {}, agent: { name: 'a', fingerprint: 'f' } }
    return [
      { type: 'thread.started', data: { agent: 'a' } },
      { type: 'run.started', data: { run: 'r1', request } },
      { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } },
      { type: 'turn.entered', data: { turn: 1 } },
      { type: 'context.assembled', data: { rebase: { reason: 'start', system: '', tools: [] } } },
      { type: 'model.requested', data: { attempt: 1, digest: 0 } },
      { type: 'model.replied', data: { parts: proposed, usage: { input: 1, output: 1 }, finish: 'tool-calls' } },
    ] as readonly Draft[]
  }

  it.each([undefined, true] as const)('is decided about without looking at every call each time (serial: %s)', (serial) => {
    const frame = fold('t', place({ thread: 't', seq: 1, time: 1 }, reply(10_000, serial)))
    const effect = decide(frame)
    expect(effect.kind).toBe('call-tools')
    expect(effect.kind === 'call-tools' && effect.authorize.length + effect.execute.length).toBeLessThanOrEqual(1_000)
  })

  it('asks a human about some of them at a time, and about the others afterwards', async () => {
    const calls = Array.from({ length: 600 }, () => ({ tool: 'take' }))
    const ran: number[] = []
    const take = tool({ name: 'take', effect: 'read', permission: 'ask', run: () => void ran.push(1) })
    const asking = agent({ model: scriptedModel([{ calls }, 'Done.']), tools: [take], journal: memoryJournal() })
    const waiting = await asking.run('Go.', { thread: 't' })
    expect(waiting.questions.length).toBeLessThanOrEqual(256)
    const answering = asking.with({ onQuestion: () => approve() })
    expect(await answering.resume('t').result()).toMatchObject({ status: 'done' })
    expect(ran).toHaveLength(600)
  })

  it('gives every call its one result, whether it runs, is denied or is unknown', async () => {
    const calls = Array.from({ length: 900 }, (_, number) => ({ tool: ['take', 'deny', `unknown${number}`][number % 3] ?? '' }))
    const take = tool({ name: 'take', run: () => 'taken' })
    const deny = tool({ name: 'deny', permission: 'deny', run: () => 'never' })
    const journal = memoryJournal()
    const result = await agent({ model: scriptedModel([{ calls }, 'Done.']), tools: [take, deny], journal }).run('Go.', { thread: 't' })
    expect(result.status).toBe('done')
    const events = await eventsOf(journal, 't')
    expect(events.filter(({ type }) => type === 'tool.finished' || type === 'tool.denied')).toHaveLength(900)
    expect(checkHistory(events)).toEqual([])
  })

  it('of unknown names, each as long as a name may be, is settled at once', async () => {
    const calls = Array.from({ length: 900 }, (_, number) => ({ tool: `${'n'.repeat(900)}${number}` }))
    const tools = Array.from({ length: 100 }, (_, number) => tool({ name: `a_tool_with_some_name_${number}`, run: () => 1 }))
    const result = await agent({ model: scriptedModel([{ calls }, 'Done.']), tools }).run('Go.')
    expect(result.status).toBe('done')
  })
})
