/** The prompt: it only grows between two rebases, no turn looks at what earlier ones added, and nothing changes once it is handed over. */
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { type AgentOptions, agent, type ContextPlan, type ContextStrategy, compress, type Hook, tool } from '@loom-agent/agent'
import { at, type Frame, readEvents } from '@loom-agent/kernel'
import { checkPairing, frames, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventsOf, type Journaled } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: ({ n }: { n?: number }) => `seen ${n ?? ''}` })
/** A model that calls a tool for so many turns, then answers; it looks at nothing. */
const busyModel = (turns: number) => {
  let spoken = 0
  return scriptedModel(() => (++spoken % (turns + 1) === 0 ? 'ok' : { text: `turn ${spoken}`, calls: [{ tool: 'look', input: { n: spoken } }] }))
}
const textOf = (prompt: unknown): string => JSON.stringify(prompt)
const steering = (text: string): Hook => ({ beforeRecursion: ({ turn }) => (turn % 3 === 0 ? { say: `${text} ${turn}` } : undefined) })

describe('a turn touches only what it adds (PROMPT-2, performance rule 1)', () => {
  test('messages that a model was given are not looked at again: 0 visits in fifty turns', async () => {
    let visits = 0
    const counted = new WeakSet<object>()
    const count = (message: LanguageModelV4Message): void => {
      if (counted.has(message)) return
      counted.add(message)
      for (const [key, value] of Object.entries(message)) {
        Object.defineProperty(message, key, {
          enumerable: true,
          get: () => {
            visits += 1
            return value
          },
        })
      }
    }
    const inner = busyModel(50)
    let requests = 0
    const model: typeof inner = {
      ...inner,
      doStream(request) {
        requests += 1
        for (const message of request.prompt) count(message)
        return inner.doStream(request)
      },
    }
    expect(await agent({ instructions: 'Look.', model, tools: [look], limits: { turns: 60 } }).run('go')).toMatchObject({ status: 'done', turns: 51 })
    expect({ requests, visits }).toEqual({ requests: 51, visits: 0 })
  })

  test('entries of the history that are in the context are not looked at again', async () => {
    let visits = 0
    let counted = 0
    const count = ({ history, context }: Frame): void => {
      for (; counted < context.covered; counted += 1) {
        const entry = at(history, counted) as object
        for (const [key, value] of Object.entries(entry)) {
          Object.defineProperty(entry, key, {
            enumerable: true,
            get: () => {
              visits += 1
              return value
            },
          })
        }
      }
    }
    const observe: NonNullable<AgentOptions['observers']>[number] = (event, frame) => void (event.type === 'model.requested' && count(frame))
    const worker = agent({ model: busyModel(50), tools: [look], limits: { turns: 60 }, observers: [observe] })
    const run = worker.start('go')
    let atEnd = 0
    for await (const event of run.events()) if (event.type === 'run.finished') atEnd = visits
    expect(counted).toBeGreaterThan(100)
    // What the result reads of the last reply is not a turn's work.
    expect(atEnd).toBeLessThanOrEqual(2)
  })

  test('each message is rendered once: the next request holds the same objects', async () => {
    const model = busyModel(20)
    await agent({ instructions: 'Look.', model, tools: [look], hooks: [steering('mind')] }).run('go')
    for (const [index, { prompt, tools }] of model.requests.entries()) {
      const next = model.requests[index + 1]
      if (!next) continue
      expect(prompt.every((message, place) => next.prompt[place] === message)).toBe(true)
      expect(next.tools).toBe(tools)
    }
  })
})

describe('what was handed over is never changed afterwards (PROMPT-3)', () => {
  test('over tools, steering, notes and a rebase in the middle', async () => {
    const copies: LanguageModelV4CallOptions['prompt'][] = []
    const inner = busyModel(12)
    const model: typeof inner = {
      ...inner,
      doStream(request) {
        copies.push(structuredClone(request.prompt))
        return inner.doStream(request)
      },
    }
    const context: ContextStrategy = {
      name: 'cuts',
      assemble: ({ frame }): ContextPlan => (frame.turn === 6 ? { rebase: { reason: 'cut', keepFrom: 5, lead: 'So far so good.' } } : {}),
    }
    await agent({ instructions: 'Look.', model, tools: [look], hooks: [steering('mind')], context, limits: { turns: 20 } }).run('go')
    expect(inner.requests.map(({ prompt }) => prompt)).toEqual(copies)
    expect(copies.length).toBe(13)
  })

  const long = Array.from({ length: 8_300 }, (_, n) => ({ role: n % 2 ? ('assistant' as const) : ('user' as const), content: `message ${n}` }))
  const history = [...long.slice(0, -1), { role: 'user' as const, content: 'the question' }]

  test('beyond 8,192 messages, where a view is handed over', async () => {
    const copies: string[] = []
    const inner = busyModel(4)
    const model: typeof inner = {
      ...inner,
      doStream(request) {
        copies.push(JSON.stringify(request.prompt))
        return inner.doStream(request)
      },
    }
    await agent({ instructions: 'Look.', model, tools: [look] }).run(history)
    const prompts = inner.requests.map(({ prompt }) => prompt)
    expect(prompts.map((prompt) => prompt.length)).toEqual([8301, 8303, 8305, 8307, 8309])
    expect(prompts.map((prompt) => JSON.stringify(prompt) === copies.shift())).toEqual([true, true, true, true, true])
    const [first] = prompts as [LanguageModelV4CallOptions['prompt']]
    expect(Array.isArray(first)).toBe(true)
    expect([first.slice().length, [...first].length, first.map(({ role }) => role).length, first.concat([]).length]).toEqual([8301, 8301, 8301, 8301])
    expect([first.at(-1), first[8301], 8301 in first, first.findLast(({ role }) => role === 'tool')]).toEqual([
      first[8300],
      undefined,
      false,
      undefined,
    ])
    expect(Object.keys(first).length).toBe(8301)
    expect(Object.entries(first).length).toBe(8301)
  })

  test('nor can a model spoil what the next request holds', async () => {
    const inner = busyModel(3)
    const attempts = [
      (prompt: LanguageModelV4CallOptions['prompt']) => prompt.push({ role: 'user', content: [] }),
      (prompt: LanguageModelV4CallOptions['prompt']) => prompt.splice(0, 1),
      (prompt: LanguageModelV4CallOptions['prompt']) => Object.freeze(prompt),
    ]
    for (const input of [history, 'a short one']) {
      const counts: number[] = []
      let number = 0
      const model: typeof inner = {
        ...inner,
        doStream(request) {
          counts.push(request.prompt.length)
          try {
            attempts[number++]?.(request.prompt)
          } catch {
            // A view refuses, and may say so.
          }
          return inner.doStream(request)
        },
      }
      const first = input === history ? 8300 : 1
      expect(await agent({ model, tools: [look] }).run(input)).toMatchObject({ status: 'done' })
      expect(counts).toEqual([first, first + 2, first + 4, first + 6])
    }
  })
})

/** The requests of a thread, with how many rebases came before each. */
async function requestsOf(worker: Journaled, requests: readonly LanguageModelV4CallOptions[], thread = 't') {
  const events = await eventsOf(worker, thread)
  const rebases = [...frames(thread, events)].flatMap(({ context }, index) => (events[index]?.type === 'model.requested' ? [context.rebases] : []))
  expect(rebases.length).toBe(requests.length)
  return requests.map((request, index) => ({ request, rebases: rebases[index] ?? 0 }))
}

function expectPrefixes(requests: Awaited<ReturnType<typeof requestsOf>>): void {
  for (const [index, { request, rebases }] of requests.entries()) {
    const next = requests[index + 1]
    if (next?.rebases !== rebases) continue
    const { prompt, tools } = next.request
    expect(textOf(prompt.slice(0, request.prompt.length))).toBe(textOf(request.prompt))
    expect(textOf(tools)).toBe(textOf(request.tools))
  }
}

describe('between two rebases the context only grows (PROMPT-1, the prefix law)', () => {
  const anyTurn = fc.record({
    calls: fc.nat(3),
    says: fc.subarray(['beforeIterationStart', 'beforeContextAssembly', 'afterContextAssembly', 'beforeRecursion'] as const),
    retrieves: fc.boolean(),
    steers: fc.boolean(),
    cut: fc.option(fc.integer({ min: -2, max: 40 }), { nil: undefined }),
    fails: fc.boolean(),
  })

  test('over calls, steering, notes, hooks that say something, retrieval, failures and cuts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }), async (runs) => {
        const turns = runs.flat()
        const planOf = ({ turn }: { turn: number }) => turns[turn - 1]
        let spoken = 0
        let failed = -1
        const model = scriptedModel(() => {
          const turn = turns[spoken]
          if (turn?.fails && failed !== spoken) {
            failed = spoken
            return { throws: Object.assign(new Error('busy'), { statusCode: 529 }) }
          }
          spoken += 1
          const isLast = runs.some((_, n) => runs.slice(0, n + 1).flat().length === spoken)
          const calls = Array.from({ length: isLast ? 0 : Math.max(1, turn?.calls ?? 1) }, (_, n) => ({ tool: 'look', input: { n } }))
          return calls.length > 0 ? { text: `said ${spoken}`, calls } : `answer ${spoken}`
        })
        const hook = Object.fromEntries(
          (['beforeIterationStart', 'beforeContextAssembly', 'afterContextAssembly', 'beforeRecursion'] as const).map((point) => [
            point,
            (at: { turn: number }) => (planOf(at)?.says.includes(point) ? { say: `${point} ${at.turn}` } : undefined),
          ]),
        ) as Hook
        const context: ContextStrategy = {
          name: 'random',
          assemble: ({ frame }) => {
            const turn = turns[frame.turn - 1]
            const documents = [{ id: `d${frame.turn}`, text: `document ${frame.turn}` }]
            return {
              ...(turn?.retrieves && { retrieved: { query: 'q', documents } }),
              ...(turn?.cut !== undefined && { rebase: { reason: 'cut', keepFrom: turn.cut, lead: 'summary' } }),
            }
          },
        }
        const steer: Hook = { beforeToolExecution: async ({ turn }) => void (planOf({ turn })?.steers && (await handle?.steer(`steered ${turn}`))) }
        const worker = agent({
          instructions: 'Be steady.',
          model,
          tools: [look],
          hooks: [hook, steer],
          context,
          limits: { loop: { warn: 2, nudge: 2, stop: 99 } },
          ports: { random: () => 0 },
        })
        let handle: ReturnType<typeof worker.start> | undefined
        for (const [index] of runs.entries()) {
          handle = worker.start(`input ${index}`, { thread: 't' })
          await handle.result()
        }
        const requests = await requestsOf(worker, model.requests)
        expectPrefixes(requests)
        for (const { request } of requests) {
          expect(checkPairing(request.prompt)).toEqual([])
          expect(request.prompt[0]).toEqual({ role: 'system', content: 'Be steady.' })
        }
      }),
      { numRuns: 80 },
    )
  })

  test('what a strategy retrieves is put at the end and stays there', async () => {
    const model = busyModel(2)
    const context: ContextStrategy = {
      name: 'retrieves',
      assemble: ({ frame }) => ({
        retrieved: { query: 'looms', documents: [{ id: `doc ${frame.turn}`, title: 'Looms', text: `text ${frame.turn}` }] },
      }),
    }
    const worker = agent({ model, tools: [look], context })
    await worker.run('go', { thread: 't' })
    expect(model.requests.map(({ prompt }) => (textOf(prompt).match(/text \d/g) ?? []).join())).toEqual([
      'text 1',
      'text 1,text 2',
      'text 1,text 2,text 3',
    ])
    expect(textOf(model.requests[2]?.prompt.at(-1))).toContain('[doc 3] Looms')
    expectPrefixes(await requestsOf(worker, model.requests))
  })
})

test('what is previewed is what is sent', async () => {
  const model = scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok', 'ok'])
  const worker = agent({ instructions: 'Look.', model, tools: [look] })
  await worker.run('first', { thread: 't' })
  const preview = await worker.preview('second', { thread: 't' })
  await worker.run('second', { thread: 't' })
  const sent = model.requests[2]
  expect([{ role: 'system', content: preview.system }, ...preview.messages]).toEqual(sent?.prompt)
  expect(preview.tools).toEqual(sent?.tools?.map(({ name }) => name))
})

test('what is previewed after an earlier moment is what was sent then, and no model is asked for summaries', async () => {
  const model = scriptedModel(({ prompt }) => ({ text: 'ok', usage: { input: Math.ceil(JSON.stringify(prompt).length / 4), output: 2 } }))
  const worker = agent({ instructions: 'Look.', model, tools: [look] })
  for (const input of ['first', 'second', 'third']) await worker.run(input, { thread: 't' })
  const ends = (await Array.fromAsync(readEvents(worker.journal, 't'))).filter(({ type }) => type === 'run.finished')
  for (const [index, input] of ['second', 'third'].entries()) {
    const preview = await worker.preview(input, { at: `t@${ends[index]?.seq}` })
    expect([{ role: 'system', content: preview.system }, ...preview.messages]).toEqual(model.requests[index + 1]?.prompt)
    expect(preview.estimated).toBe(false)
  }
  await expect(worker.preview('x', { at: 't@999' })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  const writer = scriptedModel(() => ({ throws: new Error('A preview asked a model.') }))
  for (let n = 0; n < 4; n += 1) await worker.run(`page ${n} ${'stone river '.repeat(60)}`, { thread: 't' })
  const long = await worker.with({ context: compress({ max: 600, perSection: 16, model: writer }) }).preview('And now?', { thread: 't' })
  expect([long.estimated, writer.requests.length]).toEqual([true, 0])
})
