import { agent, type RunEvent, tool } from '@loom-agent/agent'
import { type NodeCallbacks, nodeEvents, nodeHook, nodeStateOf } from '@loom-agent/agent/compat'
import { storedFrame } from '@loom-agent/agent/kit'
import type { LoomEvent } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { exampleRuns } from './example-runs.ts'
import { eventsOf } from './journals.ts'

const write = tool({ name: 'write', input: z.object({ text: z.string() }), run: ({ text }) => `wrote ${text}` })
const writes = (...texts: readonly string[]) => ({ calls: texts.map((text) => ({ tool: 'write', input: { text } })) })

const watched = (callbacks: NodeCallbacks, model = scriptedModel([writes('a', 'b'), 'Done.'])) => {
  return { model, node: agent({ model, tools: [write], hooks: [nodeHook(callbacks)] }) }
}
const prompts = (model: ReturnType<typeof scriptedModel>): string => JSON.stringify(model.requests.at(-1)?.prompt)

describe('the lifecycle of a node', () => {
  test('calls back at the start and at completion, once a run', async () => {
    const calls: string[] = []
    const { node } = watched({
      onStart: ({ thread, run }) => void calls.push(`start ${thread} ${run}`),
      onComplete: ({ run, text }) => void calls.push(`complete ${run} ${text}`),
      onError: () => void calls.push('error'),
    })
    await node.run('go', { thread: 't' })
    expect(calls).toEqual(['start t r1', 'complete r1 Done.'])
  })

  test('calls back for errors: failures, stops and limits', async () => {
    const calls: string[] = []
    const onError: NodeCallbacks['onError'] = ({ error }) => void calls.push(`${error.code} ${error.message}`)
    await watched({ onError }, scriptedModel({ throws: new Error('no') })).node.run('go')
    await watched({ onError }, scriptedModel(writes('a'))).node.run('go', { limits: { turns: 1 } })
    const leaving = new AbortController()
    const running = watched({ onError }).node.run('go', { signal: leaving.signal })
    leaving.abort()
    await running
    expect(calls).toEqual([
      expect.stringMatching(/^LOOM_MODEL_FAILED/),
      expect.stringMatching(/^LOOM_ABORTED The limit of 1 turn /),
      expect.stringMatching(/^LOOM_ABORTED .*aborted/),
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

  test('lets a call be denied, and the model gets the reason', async () => {
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
      const example = exampleRuns[name]()
      await example.run.result()
      states.push(nodeStateOf(await storedFrame(example.agent.journal, 't')))
    }
    expect(states).toEqual(['completed', 'failed', 'failed', 'idle'])
    let during: string | undefined
    const looks = tool({
      name: 'looks',
      run: async () => {
        during = nodeStateOf(await storedFrame(node.journal, 't'))
      },
    })
    const node = agent({ model: scriptedModel([{ calls: [{ tool: 'looks' }] }, 'ok']), tools: [looks] })
    expect(nodeStateOf(await storedFrame(node.journal, 't'))).toBe('idle')
    await node.run('go', { thread: 't' })
    expect(during).toBe('running')
  })
})

describe('node events', () => {
  const shown = async (events: AsyncIterable<RunEvent>): Promise<string[]> => {
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
    expect(await shown(node().start('go').events())).toEqual(expected)
    const other = node()
    await other.run('go', { thread: 't' })
    async function* stored(events: readonly LoomEvent[]): AsyncGenerator<RunEvent> {
      yield* events
    }
    expect(await shown(stored(await eventsOf(other, 't')))).toEqual(expected)
  })
})
