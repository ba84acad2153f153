import { agent, type RunEvent, tool } from '@loom-agent/agent'
import { frameAt, type LoomEvent } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type EventKind, kindOf, subscribe } from '../src/view/kinds.ts'
import { type NodeCallbacks, nodeHook, nodeStateOf } from '../src/view/node.ts'
import { nodeEvents } from '../src/view/node-events.ts'
import { createStatistics, statisticsOf } from '../src/view/statistics.ts'
import { eventsOf } from './journals.ts'
import { scenes } from './view-scenes.ts'

const write = tool({ name: 'write', input: z.object({ text: z.string() }), run: ({ text }) => `wrote ${text}` })
const writes = (...texts: readonly string[]) => ({ calls: texts.map((text) => ({ tool: 'write', input: { text } })) })

const watched = (callbacks: NodeCallbacks, model = scriptedModel([writes('a', 'b'), 'Done.'])) => {
  return { model, node: agent({ model, tools: [write], hooks: [nodeHook(callbacks)] }) }
}
const prompts = (model: ReturnType<typeof scriptedModel>): string => JSON.stringify(model.requests.at(-1)?.prompt)

describe('the lifecycle of a node', () => {
  test('is told from start to completion, once a run', async () => {
    const told: string[] = []
    const { node } = watched({
      onStart: ({ thread, run }) => void told.push(`start ${thread} ${run}`),
      onComplete: ({ run, text }) => void told.push(`complete ${run} ${text}`),
      onError: () => void told.push('error'),
    })
    await node.run('go', { thread: 't' })
    expect(told).toEqual(['start t r1', 'complete r1 Done.'])
  })

  test('is told of errors: failures, stops and limits', async () => {
    const told: string[] = []
    const onError: NodeCallbacks['onError'] = ({ error }) => void told.push(`${error.code} ${error.message}`)
    await watched({ onError }, scriptedModel({ throws: new Error('no') })).node.run('go')
    await watched({ onError }, scriptedModel(writes('a'))).node.run('go', { limits: { turns: 1 } })
    await watched({ onError }).node.run('go', { signal: AbortSignal.abort() })
    expect(told).toEqual([
      expect.stringMatching(/^LOOM_MODEL_FAILED/),
      expect.stringMatching(/^LOOM_ABORTED The limit of 1 turns/),
      expect.stringMatching(/^LOOM_ABORTED The signal was aborted/),
    ])
  })

  test('of many runs at once is kept apart', async () => {
    const texts = new Map<string, string>()
    const model = scriptedModel(({ prompt }) => {
      const last = prompt.at(-1)
      return last?.role === 'user' && last.content[0]?.type === 'text' ? `Hello ${last.content[0].text}` : '?'
    })
    const { node } = watched({ onComplete: ({ thread, text }) => void texts.set(thread, text) }, model)
    await Promise.all(Array.from({ length: 20 }, (_, n) => node.run(String(n), { thread: `t${n}` })))
    expect(texts.size).toBe(20)
    for (const [thread, text] of texts) expect(text).toBe(`Hello ${thread.slice(1)}`)
  })

  test('lets a call be denied, and the model is told', async () => {
    const asked: unknown[] = []
    const { node, model } = watched({
      onToolCallRequest: ({ tool: name, input, thread }) => {
        asked.push([thread, name, input])
        return (input as { text: string }).text !== 'b'
      },
    })
    await node.run('go', { thread: 't' })
    expect(asked).toEqual([
      ['t', 'write', { text: 'a' }],
      ['t', 'write', { text: 'b' }],
    ])
    expect(prompts(model)).toContain('wrote a')
    expect(prompts(model)).toContain('The call of write was denied.')
    expect(prompts(model)).not.toContain('wrote b')
  })

  test('asks about a plan once for all its calls, also asynchronously, and a refused plan runs none of them', async () => {
    const plans: number[] = []
    const { node, model } = watched(
      {
        onPlanning: async ({ calls, turn }) => {
          plans.push(calls.length)
          return turn !== 1
        },
      },
      scriptedModel([writes('a', 'b'), writes('c'), 'Done.']),
    )
    const result = await node.run('go')
    expect(result).toMatchObject({ status: 'done', text: 'Done.' })
    expect(plans).toEqual([2, 1])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('The plan was not accepted. Make another.')
    expect(prompts(model)).toContain('wrote c')
  })
})

describe('the state of a node', () => {
  test('is idle, running, completed or failed, read from the frame', async () => {
    const states = []
    for (const name of ['answered', 'failed', 'stopped', 'waiting'] as const) {
      const scene = scenes[name]()
      await scene.run.result()
      states.push(nodeStateOf(await frameAt(scene.agent.journal, 't')))
    }
    expect(states).toEqual(['completed', 'failed', 'failed', 'idle'])
    let during: string | undefined
    const looks = tool({
      name: 'looks',
      run: async () => {
        during = nodeStateOf(await frameAt(node.journal, 't'))
      },
    })
    const node = agent({ model: scriptedModel([{ calls: [{ tool: 'looks' }] }, 'ok']), tools: [looks] })
    expect(nodeStateOf(await frameAt(node.journal, 't'))).toBe('idle')
    await node.run('go', { thread: 't' })
    expect(during).toBe('running')
  })
})

describe('node events', () => {
  const told = async (events: AsyncIterable<RunEvent>): Promise<string[]> => {
    const seen: string[] = []
    for await (const event of nodeEvents(events)) {
      const last = seen.at(-1)
      const text = 'text' in event ? event.text : 'toolCall' in event ? event.toolCall.name : event.toolResult.content
      if (event.type === 'thinking' && last?.startsWith('thinking')) seen[seen.length - 1] = last + text
      else seen.push(`${event.type}: ${text}`)
    }
    return seen
  }
  const node = () => agent({ model: scriptedModel([{ reasoning: 'They want a.', text: ' So be it.', ...writes('a') }, 'Done.']), tools: [write] })

  test('are thinking, tool_call, tool_result and message', async () => {
    const expected = ['thinking: They want a. So be it.', 'tool_call: write', 'tool_result: wrote a', 'message: Done.']
    expect(await told(node().start('go').events())).toEqual(expected)
    const other = node()
    await other.run('go', { thread: 't' })
    async function* stored(events: readonly LoomEvent[]): AsyncGenerator<RunEvent> {
      yield* events
    }
    expect(await told(stored(await eventsOf(other, 't')))).toEqual(expected)
  })
})

describe('subscribing by kind', () => {
  test('hands each event to those who want its kind, and to nobody else', async () => {
    const seen: { [K in EventKind]: string[] } = { control: [], permission: [], progress: [], error: [] }
    const listeners = Object.fromEntries((Object.keys(seen) as EventKind[]).map((kind) => [kind, ({ type }: RunEvent) => void seen[kind].push(type)]))
    await subscribe(scenes.answered().events, listeners)
    await subscribe(scenes.waiting().events, listeners)
    expect(seen.permission).toEqual(['question.asked'])
    expect(seen.error).toEqual(['model.failed', 'tool.finished'])
    expect(seen.control).toContain('run.suspended')
    expect(seen.progress).toContain('text-delta')
  })

  test('tells the one who subscribed what a listener threw', async () => {
    const fails = (): void => {
      throw new Error('listener')
    }
    await expect(subscribe(scenes.answered().events, { control: fails })).rejects.toThrow('listener')
  })

  test('calls a call that ended with an error an error', async () => {
    const scene = scenes.answered()
    await scene.run.result()
    const ends = (await eventsOf(scene.agent, 't')).filter(({ type }) => type === 'tool.finished')
    expect(ends.map(kindOf)).toEqual(['progress', 'error'])
  })
})

describe('statistics', () => {
  test('count runs and calls, how many went well, and how long they took', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'slow',
      effect: 'read',
      run: () => new Promise((resolve) => clock.at(clock.now() + 100, () => resolve('x'))),
    })
    const statistics = createStatistics()
    const model = scriptedModel((_, number) => (number % 2 === 1 ? { calls: [{ tool: 'slow' }] } : number < 4 ? 'ok' : { throws: new Error('no') }))
    const worker = agent({ model, tools: [slow], hooks: [statistics], ports: { clock } })
    for (const thread of ['a', 'b']) {
      const run = worker.run('go', { thread })
      await clock.advance(150)
      await run
    }
    const expected = { runs: { count: 2, successRate: 0.5, meanMs: 100 }, tools: { slow: { count: 2, successRate: 1, meanMs: 100 } } }
    expect(statistics.read()).toEqual(expected)
    expect(statisticsOf([...(await eventsOf(worker, 'a')), ...(await eventsOf(worker, 'b'))])).toEqual(expected)
  })

  test('do not count waiting as time, nor a run that waits as ended', async () => {
    const scene = scenes.waiting()
    await scene.run.result()
    expect(statisticsOf(await eventsOf(scene.agent, 't')).runs).toEqual({ count: 0, successRate: undefined, meanMs: undefined })
  })

  test('of nothing are unknown, not zero', () => {
    expect(statisticsOf([])).toEqual({ runs: { count: 0, successRate: undefined, meanMs: undefined }, tools: {} })
  })
})
