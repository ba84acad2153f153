import { agent, approve, frameAt, type RunEvent, tool } from '@loom-agent/agent'
import { type AgentEvent, type AgentEventOf, AgentEventType, agentEvents, isLlmContent, isTerminal, isToolEvent } from '@loom-agent/agent/compat'
import type { LoomEvent } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { type ExampleRun, exampleRuns } from './example-runs.ts'
import { eventsOf } from './journals.ts'

const names = Object.keys(exampleRuns) as (keyof typeof exampleRuns)[]

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const projected = async (example: ExampleRun): Promise<AgentEvent[]> => all(agentEvents(example.events))
const only = <T extends AgentEventType>(events: readonly AgentEvent[], type: T): AgentEventOf<T>[] =>
  events.filter((event): event is AgentEvent & AgentEventOf<T> => event.type === type)
async function* stored(events: readonly LoomEvent[]): AsyncGenerator<RunEvent> {
  yield* events
}

/** Pieces of text that stand next to each other, as one. */
function joined(events: readonly AgentEvent[]): AgentEvent[] {
  const result: AgentEvent[] = []
  for (const event of events) {
    const last = result.at(-1)
    if (last && isLlmContent(last) && isLlmContent(event)) result[result.length - 1] = { ...event, content: last.content + event.content }
    else result.push(event)
  }
  return result
}

describe('the events of the original Python project', () => {
  test('are 29, and real runs show every one of them', async () => {
    const seen = new Set<string>()
    for (const name of names) for (const { type } of await projected(exampleRuns[name]())) seen.add(type)
    expect([...seen].sort()).toEqual(Object.values(AgentEventType).sort())
    expect(seen.size).toBe(29)
  })

  test.each(names)('of a run that is %s have their starts and ends paired, and one end (COMPAT-1)', async (name) => {
    const events = await projected(exampleRuns[name]())
    // What is open after each event, as a picture: a turn, a phase in it, calls without a result.
    const open: string[] = []
    let calls = 0
    for (const event of events) {
      if (event.type === 'iteration_start') open.push('turn')
      else if (event.type === 'phase_start') open.push(event.phase)
      else if (event.type === 'phase_end' && open.at(-1) === event.phase) open.pop()
      else if (event.type === 'iteration_end' && open.at(-1) === 'turn') open.pop()
      else if (event.type === 'tool_calls_start') calls += event.toolCalls.length
      else if (event.type === 'tool_result' || event.type === 'tool_error') calls -= 1
      expect(open.length).toBeLessThanOrEqual(2)
    }
    const isWaiting = name === 'waiting'
    expect(open).toEqual(isWaiting ? ['turn'] : [])
    expect(calls).toBe(0)
    expect(events.filter(isTerminal)).toHaveLength(isWaiting ? 0 : 1)
    expect(events.at(-1)?.type).toBe(events.find(isTerminal)?.type ?? 'execution_cancelled')
  })

  test.each(names)('of a run that is %s are the same from its journal, but for the progress of tools (COMPAT-2)', async (name) => {
    const example = exampleRuns[name]()
    const live = joined(await projected(example)).filter(({ type }) => type !== 'tool_progress')
    const replayed = joined(await all(agentEvents(stored(await eventsOf(example.agent, 't')))))
    // What a model had said before it was stopped was never a fact.
    const isFact = ({ type }: AgentEvent): boolean => name !== 'stopped' || type !== 'llm_delta'
    // A signal has no time of its own.
    const timeless = (events: readonly AgentEvent[]): unknown[] => events.filter(isFact).map((event) => ({ ...event, timestamp: 0 }))
    expect(timeless(live)).toEqual(timeless(replayed))
  })

  test('describe an ordinary run in order', async () => {
    const events = joined(await projected(exampleRuns.answered()))
    expect(events.map(({ type }) => type)).toEqual([
      'iteration_start',
      'phase_start',
      'context_assembly_start',
      'retrieval_start',
      'retrieval_progress',
      'retrieval_progress',
      'retrieval_complete',
      'context_assembly_complete',
      'phase_end',
      'phase_start',
      'llm_start',
      'recovery_attempt',
      'llm_start',
      'llm_delta',
      'recovery_success',
      'llm_complete',
      'llm_tool_calls',
      'phase_end',
      'phase_start',
      'tool_calls_start',
      'tool_execution_start',
      'tool_progress',
      'tool_result',
      'tool_execution_start',
      'tool_error',
      'tool_calls_complete',
      'phase_end',
      'recursion',
      'iteration_end',
      'iteration_start',
      'phase_start',
      'context_assembly_start',
      'compression_applied',
      'context_assembly_complete',
      'phase_end',
      'phase_start',
      'llm_start',
      'llm_delta',
      'llm_complete',
      'phase_end',
      'iteration_end',
      'agent_finish',
    ])
    expect(only(events, 'recursion')).toMatchObject([{ iteration: 1, depth: 2, tools: ['add', 'fails'], turnId: 't/1', messageCount: 4 }])
    expect(only(events, 'compression_applied')).toMatchObject([{ tokensBefore: 900, tokensAfter: 300 }])
    expect(only(events, 'recovery_attempt')).toMatchObject([{ strategy: 'retry', attempt: 2, error: { code: 'LOOM_MODEL_FAILED' } }])
    expect(only(events, 'tool_progress')).toMatchObject([{ status: 'half way', toolCall: { id: '1.0', name: 'add' } }])
    expect(only(events, 'tool_result')[0]?.toolResult).toMatchObject({ toolName: 'add', status: 'success', content: '4', isError: false })
    expect(only(events, 'tool_error')[0]?.toolResult).toMatchObject({ toolCallId: '1.1', isError: true, metadata: { errorType: 'failed' } })
    expect(only(events, 'agent_finish')).toMatchObject([{ content: 'It is four.', iterations: 2, toolCalls: 2, errors: 2 }])
  })

  test('say how a run ended before it was done', async () => {
    const last = async (name: keyof typeof exampleRuns) => (await projected(exampleRuns[name]())).at(-1)
    expect(await last('failed')).toMatchObject({ type: 'error', stage: 'llm_call', error: { code: 'LOOM_MODEL_FAILED' } })
    expect(await last('looped')).toMatchObject({ type: 'recursion_terminated', kind: 'loop', lastTools: Array(5).fill('add') })
    expect(await last('limited')).toMatchObject({ type: 'max_iterations_reached', iterations: 2, max: 2, content: 'turn 2' })
    expect(await last('spent')).toMatchObject({ type: 'recursion_terminated', kind: 'budget' })
    expect(await last('stopped')).toMatchObject({ type: 'execution_cancelled', interrupt: false, reason: 'enough', correlationId: 'r1' })
    expect(await last('waiting')).toMatchObject({ type: 'execution_cancelled', interrupt: true, questions: [{ id: '1.0#1' }] })
  })

  test('show that a repetition was noticed before it is stopped', async () => {
    const loops = only(await projected(exampleRuns.looped()), 'recursion').flatMap(({ loop }) => (loop ? [loop.level] : []))
    expect(loops).toEqual(['warn', 'nudge'])
  })

  test('go on after an answer, for a stream that joins with the frame', async () => {
    const example = exampleRuns.waiting()
    const { questions } = await example.run.result()
    const after = await frameAt(example.agent.journal, 't')
    await example.run.answer(questions[0]?.id ?? '', approve())
    const events = await all(agentEvents(example.run.events({ from: after.seq + 1 }), { after }))
    expect(events.slice(0, 4)).toMatchObject([
      { type: 'phase_start', phase: 'resume' },
      { type: 'phase_end', phase: 'resume' },
      { type: 'phase_start', phase: 'tool_execution' },
      { type: 'tool_calls_start', toolCalls: [{ name: 'asks' }] },
    ])
    expect(only(events, 'tool_result')).toMatchObject([{ iteration: 1, toolResult: { toolName: 'asks', content: 'done' } }])
    expect(events.at(-1)).toMatchObject({ type: 'agent_finish', iterations: 2 })
  })

  test('of a run that waits in the middle of its calls show each of them once', async () => {
    const asks = tool({ name: 'asks', permission: 'ask', run: () => 'done' })
    const looks = tool({ name: 'looks', effect: 'read', run: () => 'seen' })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'looks' }, { tool: 'asks' }] }, 'Thanks.']), tools: [asks, looks] })
    const run = worker.start('go', { thread: 't' })
    await run.answer((await run.result()).questions[0]?.id ?? '', approve())
    await run.result()
    const events = await all(agentEvents(stored(await eventsOf(worker, 't'))))
    expect(only(events, 'tool_calls_start')).toHaveLength(1)
    expect(only(events, 'tool_calls_complete')).toMatchObject([{ resultsCount: 2 }])
    expect(only(events, 'phase_start').map(({ phase }) => phase)).toEqual([
      'context_assembly',
      'llm_call',
      'tool_execution',
      'resume',
      'tool_execution',
      'context_assembly',
      'llm_call',
    ])
    expect(only(events, 'phase_end').map(({ phase }) => phase)).toEqual(only(events, 'phase_start').map(({ phase }) => phase))
  })

  test('go on after a failure, in the turn that failed', async () => {
    const example = exampleRuns.failed()
    const before = await projected(example)
    expect(only(before, 'recovery_failed')).toMatchObject([{ strategy: 'retry', attempt: 3 }])
    const after = await frameAt(example.agent.journal, 't')
    const events = await all(agentEvents(example.agent.resume('t').events({ from: after.seq + 1 }), { after }))
    expect(events.map(({ type }) => type)).toEqual([
      'phase_start',
      'phase_end',
      'iteration_start',
      'phase_start',
      'llm_start',
      'llm_delta',
      'llm_complete',
      'phase_end',
      'iteration_end',
      'agent_finish',
    ])
  })

  test('count turns from the start of each run', async () => {
    const chat = agent({ model: scriptedModel(['One.', 'Two.']) })
    await chat.run('first', { thread: 't' })
    const run = chat.start('second', { thread: 't' })
    const events = await all(agentEvents(run.events()))
    expect(events[0]).toMatchObject({ type: 'iteration_start', iteration: 1, run: 'r2', turnId: 't/2' })
    expect(events.at(-1)).toMatchObject({ type: 'agent_finish', content: 'Two.', iterations: 1 })
  })

  test('go on for the run under way when another input is queued', async () => {
    const { promise: queued, resolve: goOn } = Promise.withResolvers<void>()
    const looks = tool({ name: 'looks', run: () => queued.then(() => 'seen') })
    const chat = agent({ model: scriptedModel([{ calls: [{ tool: 'looks' }] }, 'One.', 'Two.']), tools: [looks] })
    const first = chat.start('first', { thread: 't' })
    const seen: AgentEvent[] = []
    let second: ReturnType<typeof chat.start> | undefined
    for await (const event of agentEvents(first.events())) {
      seen.push(event)
      if (event.type !== 'tool_execution_start') continue
      second = chat.start('second', { thread: 't' })
      void chat.journal.head('t').then(() => goOn())
    }
    await second?.result()
    const facts = await eventsOf(chat, 't')
    const replayed = await all(agentEvents(stored(facts)))
    expect(facts.map(({ type }) => type)).toContain('run.queued')
    expect(only(replayed, 'agent_finish')).toMatchObject([
      { run: 'r1', content: 'One.', iterations: 2, toolCalls: 1 },
      { run: 'r2', content: 'Two.', iterations: 1, toolCalls: 0 },
    ])
    expect(only(replayed, 'recursion')).toMatchObject([{ run: 'r1', tools: ['looks'] }])
    expect(seen.at(-1)).toMatchObject({ type: 'agent_finish', run: 'r1', iterations: 2, toolCalls: 1 })
    const started = facts.slice(facts.findLastIndex(({ type }) => type === 'run.started'))
    const late = await all(agentEvents(stored(started)))
    expect(late[0]).toMatchObject({ type: 'iteration_start', run: 'r2', iteration: 1 })
    expect(late.at(-1)).toMatchObject({ type: 'agent_finish', run: 'r2', content: 'Two.', iterations: 1 })
  })

  test('of children name their own threads', async () => {
    const child = agent({ name: 'child', model: scriptedModel('From the child.') })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'From the boss.']), tools: [child] })
    const run = boss.start('go', { thread: 't' })
    const ends = only(await all(agentEvents(run.events({ nested: true }))), 'agent_finish')
    expect(ends.map(({ content }) => content)).toEqual(['From the child.', 'From the boss.'])
    expect(new Set(ends.map(({ thread }) => thread)).size).toBe(2)
  })

  test('show the steps and children of durable tools as progress', async () => {
    const child = agent({ name: 'child', model: scriptedModel('ok') })
    const works = tool({
      name: 'works',
      durable: true,
      run: async (_, ctx) => {
        await ctx.step('measure', () => 7)
        await ctx.run(child, 'go')
        return 'worked'
      },
    })
    const run = agent({ model: scriptedModel([{ calls: [{ tool: 'works' }] }, 'ok']), tools: [works] }).start('go')
    const progress = only(await all(agentEvents(run.events())), 'tool_progress').map(({ status }) => status as { is: string })
    expect(progress.map(({ is }) => is)).toEqual(['started', 'finished', 'started', 'finished'])
  })

  test('say that compression failed, and that the run goes on', async () => {
    const compressionFailed = { code: 'LOOM_COMPRESSION_FAILED', message: 'no summary', recoverable: true }
    const worker = agent({ model: scriptedModel('Still here.'), context: { name: 'test', assemble: () => ({ compressionFailed }) } })
    const events = await all(agentEvents(worker.start('go').events()))
    expect(only(events, 'recovery_failed')).toMatchObject([{ strategy: 'compression', error: compressionFailed }])
    expect(events.at(-1)).toMatchObject({ type: 'agent_finish', content: 'Still here.' })
  })

  test('show that a durable tool waits, and the questions that are still open', async () => {
    const asks = tool({ name: 'asks', durable: true, run: async (_, ctx) => JSON.stringify(await ctx.ask('Which one?')) })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'asks' }] }, 'Thanks.']), tools: [asks] })
    const run = worker.start('go', { thread: 't' })
    await run.answer((await run.result()).questions[0]?.id ?? '', approve())
    await run.result()
    const events = await all(agentEvents(stored(await eventsOf(worker, 't'))))
    expect(only(events, 'execution_cancelled')).toMatchObject([{ interrupt: true, questions: [{ prompt: 'Which one?' }] }])
    expect(only(events, 'tool_progress').map(({ status }) => status)).toEqual([{ is: 'suspended' }])
    expect(only(events, 'tool_execution_start')).toHaveLength(1)
    expect(only(events, 'tool_result')).toMatchObject([{ toolResult: { content: '{"kind":"approve"}' } }])
  })

  test('go as far as they can for a stream that begins late without the frame', async () => {
    const example = exampleRuns.answered()
    await example.run.result()
    const facts = await eventsOf(example.agent, 't')
    const late = facts.slice(facts.findIndex(({ type }) => type === 'tool.finished'))
    const events = await all(agentEvents(stored(late)))
    expect(only(events, 'tool_result')).toMatchObject([{ toolResult: { toolCallId: '1.0', toolName: 'unknown', content: '4' } }])
    expect(only(events, 'tool_calls_complete')).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'agent_finish', content: 'It is four.', iterations: 2 })
  })

  test('show what a hook made of a reply', async () => {
    const run = agent({
      model: scriptedModel('Secret.'),
      hooks: [{ afterModelReply: () => ({ parts: [{ type: 'text', text: 'Censored.' }] }) }],
    }).start('go')
    const events = await all(agentEvents(run.events()))
    expect(only(events, 'llm_complete')).toMatchObject([{ content: 'Secret.' }])
    expect(events.at(-1)).toMatchObject({ type: 'agent_finish', content: 'Censored.' })
  })

  test('are emitted once for an event that the stream has twice', async () => {
    const example = exampleRuns.answered()
    await example.run.result()
    const facts = await eventsOf(example.agent, 't')
    const once = await all(agentEvents(stored(facts.slice(0, -1))))
    expect(await all(agentEvents(stored([...facts.slice(0, -1), ...facts.slice(0, -1)])))).toEqual(once)
  })

  test('are sorted by what they are about', async () => {
    const events = await projected(exampleRuns.answered())
    expect(new Set(events.filter(isToolEvent).map(({ type }) => type))).toEqual(
      new Set(Object.values(AgentEventType).filter((type) => type.includes('tool'))),
    )
    expect(
      events
        .filter(isLlmContent)
        .map(({ content }) => content)
        .join(''),
    ).toBe('Let me see.It is four.')
  })
})
