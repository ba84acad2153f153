import { type AgentEvent, type AgentStreamResponse, agentEvents, collectEvents, filterEvents, streamResponses } from '@loom-agent/agent/compat'
import { manualClock } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { streamTypes } from '../src/compat/events/stream-response.ts'
import { exampleRuns } from './example-runs.ts'

const collected = async (name: keyof typeof exampleRuns) => collectEvents(agentEvents(exampleRuns[name]().events))
const place = { thread: 't', run: 'r1', timestamp: 0, iteration: 1, turnId: 't/1' }
const delta = (content: string): AgentEvent => ({ ...place, type: 'llm_delta', content })
const marker = (attempt: number): AgentEvent => ({ ...place, type: 'llm_start', attempt })
const shown = (event: AgentEvent): string => (event.type === 'llm_delta' ? event.content : event.type)

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const event of events) seen.push(event)
  return seen
}

async function* from(events: readonly AgentEvent[]): AsyncGenerator<AgentEvent> {
  yield* events
}

describe('a collection', () => {
  test('knows what the model said, what tools gave, what went wrong and the answer', async () => {
    const seen = await collected('answered')
    expect(seen.llmContent()).toBe('Let me see.It is four.')
    expect(seen.toolResults().map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['add', false],
      ['fails', true],
    ])
    expect(seen.errors()).toMatchObject([{ type: 'tool_error', toolResult: { toolName: 'fails' } }])
    expect(seen.filter('recursion')).toHaveLength(1)
    expect(seen.finalResponse()).toBe('It is four.')
  })

  test('has as much of the answer as there is when the run was stopped, and none while it waits', async () => {
    expect((await collected('limited')).finalResponse()).toBe('turn 2')
    expect((await collected('failed')).errors()).toMatchObject([{ type: 'error' }])
    expect((await collected('waiting')).finalResponse()).toBeUndefined()
  })

  test('forgets the words of an attempt that failed', async () => {
    const seen = await collectEvents([marker(1), delta('Hel'), marker(2), delta('Hello'), delta(' you')])
    expect(seen.llmContent()).toBe('Hello you')
  })
})

describe('a filter', () => {
  test('lets through what is allowed and not blocked, in order', async () => {
    const types = async (filter: Parameters<typeof filterEvents>[1]) =>
      new Set((await all(filterEvents(agentEvents(exampleRuns.answered().events), filter))).map(({ type }) => type))
    expect(await types({ allowed: ['tool_result', 'agent_finish'] })).toEqual(new Set(['tool_result', 'agent_finish']))
    expect(await types({ blocked: ['llm_delta'] })).not.toContain('llm_delta')
    expect(await types({ allowed: ['llm_delta', 'tool_result'], blocked: ['llm_delta'] })).toEqual(new Set(['tool_result']))
  })

  test('joins pieces of text up to a size, and never moves one past another event (COMPAT-3)', async () => {
    const pieces = ['a', 'b', 'c', 'd', 'e'].map(delta)
    const events = [...pieces, marker(1), ...pieces.slice(0, 2), marker(2)]
    expect((await all(filterEvents(from(events), { batch: { size: 3 } }))).map(shown)).toEqual(['abc', 'de', 'llm_start', 'ab', 'llm_start'])
    const whole = await all(filterEvents(from(events), { batch: {} }))
    expect(whole.map(shown).join('')).toBe(events.map(shown).join(''))
  })

  test('does not join the text of different threads or turns', async () => {
    const other: AgentEvent = { ...place, thread: 'u', type: 'llm_delta', content: 'x' }
    const later: AgentEvent = { ...place, iteration: 2, type: 'llm_delta', content: 'y' }
    const seen = await all(filterEvents(from([delta('a'), other, delta('b'), later]), { batch: {} }))
    expect(seen.map(shown)).toEqual(['a', 'x', 'b', 'y'])
  })

  test('does not hold text longer than it may', async () => {
    const clock = manualClock()
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    async function* slow(): AsyncGenerator<AgentEvent> {
      yield delta('a')
      yield delta('b')
      await held
      yield delta('c')
    }
    const seen: string[] = []
    const reading = (async () => {
      for await (const event of filterEvents(slow(), { batch: { ms: 50, clock } })) seen.push(shown(event))
    })()
    await clock.advance(40)
    expect(seen).toEqual([])
    await clock.advance(20)
    expect(seen).toEqual(['ab'])
    release()
    await reading
    expect(seen).toEqual(['ab', 'c'])
    expect(clock.timers).toBe(0)
  })

  test('rejects with the failure of its source', async () => {
    async function* broken(): AsyncGenerator<AgentEvent> {
      yield delta('a')
      throw new Error('torn')
    }
    await expect(all(filterEvents(broken(), { batch: {} }))).rejects.toThrow('torn')
  })

  test('ends its source when its consumer leaves', async () => {
    let ended = false
    async function* endless(): AsyncGenerator<AgentEvent> {
      try {
        for (;;) yield delta('a')
      } finally {
        ended = true
      }
    }
    for await (const event of filterEvents(endless(), { batch: { size: 2 } })) {
      expect(shown(event)).toBe('aa')
      break
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toBe(true)
  })
})

describe('the seven stream types', () => {
  const responses = async (name: keyof typeof exampleRuns): Promise<AgentStreamResponse[]> => all(streamResponses(exampleRuns[name]().events))

  test('are seen in real runs, every one', async () => {
    const seen = new Set<string>()
    for (const name of ['answered', 'failed', 'stopped'] as const) for (const { type } of await responses(name)) seen.add(type)
    expect([...seen].sort()).toEqual([...streamTypes].sort())
  })

  test('emit an ordinary run', async () => {
    const seen = await responses('answered')
    expect(seen.filter(({ type }) => type !== 'text_delta')).toMatchObject([
      { type: 'stream_start', thread: 't', run: 'r1' },
      { type: 'tool_calls_start', toolCalls: [{ name: 'add' }, { name: 'fails' }] },
      { type: 'tool_result', result: { status: 'success', content: '4' } },
      { type: 'tool_result', result: { status: 'error' } },
      { type: 'agent_finish', content: 'It is four.', iterations: 2 },
    ])
    expect(seen.map((response) => (response.type === 'text_delta' ? response.content : '')).join('')).toBe('Let me see.It is four.')
  })

  test('emit why a run ended before the model had its last word', async () => {
    const last = async (name: keyof typeof exampleRuns) => (await responses(name)).at(-1)
    expect(await last('limited')).toMatchObject({
      type: 'agent_finish',
      iterations: 2,
      maxIterations: 2,
      reason: expect.stringMatching(/2 turns is reached/),
    })
    expect(await last('looped')).toMatchObject({ type: 'agent_finish', reason: expect.stringMatching(/same arguments/) })
    expect(await last('failed')).toMatchObject({ type: 'error', code: 'LOOM_MODEL_FAILED' })
    expect(await last('stopped')).toEqual({ type: 'aborted', reason: 'enough', interrupt: false })
    expect(await last('waiting')).toEqual({ type: 'aborted', reason: 'question', interrupt: true })
  })
})
