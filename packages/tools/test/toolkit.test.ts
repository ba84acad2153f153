import { agent, memoryJournal, type Tool, tool } from '@loom-agent/agent'
import { type EventOf, LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { calculator, toolkit, webTools, withBreaker, withCache } from '@loom-agent/tools'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../../../test/support/threads.ts'

const named = (name: string): Tool => tool({ name, effect: 'read', run: () => name })

/** How the calls of a run ended that calls the tool with each of the inputs, one after another. */
async function ends(given: Tool<never>, inputs: readonly object[], options: { deps?: unknown; between?: () => void } = {}) {
  const journal = memoryJournal()
  const model = scriptedModel([...inputs.map((input) => ({ calls: [{ tool: given.name, input }] })), 'Done.'])
  const observers = [({ type }: { type: string }) => void (type === 'tool.finished' && options.between?.())]
  await agent({ model, journal, tools: [given as Tool], observers }).run('Go.', {
    thread: 't',
    ...(options.deps !== undefined && { deps: options.deps }),
  })
  const finished = (await eventsOf(journal, 't')).filter((event): event is EventOf<'tool.finished'> => event.type === 'tool.finished')
  return finished.map(({ data: { status, output, meta } }) => ({ status, value: output.value, meta }))
}

/** A clock that stands still until it is moved. */
function standingClock() {
  let time = 0
  const advance = (ms: number): void => {
    time += ms
  }
  return { now: () => time, advance }
}

describe('a toolkit', () => {
  test('has a name and a version, and its tools can be spread into those of an agent', async () => {
    const kit = toolkit({ name: 'math', version: '1.2.0', tools: [calculator()] })
    expect(kit).toMatchObject({ name: 'math', version: '1.2.0', sources: { calculator: 'math@1.2.0' } })
    const model = scriptedModel([{ calls: [{ tool: 'calculator', input: { expression: '6*7' } }] }, 'It is 42.'])
    const result = await agent({ model, tools: [...kit, named('other')] }).run('6 times 7?')
    expect(result.steps[0]?.calls).toMatchObject([{ status: 'success', output: { result: '42', exact: true } }])
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['calculator', 'other'])
  })

  test('is made of tools and of other toolkits, and knows where each tool came from', () => {
    const web = toolkit({ name: 'web', version: '2.0.0', tools: webTools() })
    const all = toolkit({ name: 'all', version: '1.0.0', tools: [web, calculator()] })
    expect(all.sources).toEqual({ fetch: 'web@2.0.0', calculator: 'all@1.0.0' })
    expect(Object.keys(all.tools)).toEqual(['fetch', 'calculator'])
  })

  test('refuses two tools of one name, and says which toolkits have them', () => {
    const [a, b] = ['a', 'b'].map((name) => toolkit({ name, version: '1.0.0', tools: [named('look')] }))
    if (!a || !b) throw new Error('unreachable')
    const both = () => toolkit({ name: 'both', version: '1.0.0', tools: [a, b] })
    expect(both).toThrow(
      expect.objectContaining({ code: 'LOOM_TOOL_DUPLICATE', message: expect.stringContaining('"look", from a@1.0.0 and b@1.0.0') }),
    )
    expect(() => agent({ tools: [...a, ...b] })).toThrow(expect.objectContaining({ code: 'LOOM_TOOL_DUPLICATE' }))
  })

  test('puts a prefix before the names, so that two of a kind go together', () => {
    const kit = (prefix: string) => toolkit({ name: 'look', version: '1.0.0', tools: [named('look')], prefix })
    expect(Object.keys(toolkit({ name: 'two', version: '1.0.0', tools: [kit('a_'), kit('b_')] }).tools)).toEqual(['a_look', 'b_look'])
  })

  test.each([
    [{ name: '', version: '1.0.0', tools: [] }, 'LOOM_OPTION_INVALID'],
    [{ name: 'a', version: '1', tools: [] }, 'LOOM_OPTION_INVALID'],
    [{ name: 'a', version: '1.0.0' }, 'LOOM_OPTION_INVALID'],
    [{ name: 'a', version: '1.0.0', tools: [{}] }, 'LOOM_TOOL_INVALID'],
    [{ name: 'a', version: '1.0.0', tools: [tool({ run: () => 1 })] }, 'LOOM_TOOL_NAME_INVALID'],
    [{ name: 'a', version: '1.0.0', tools: { 'a b': tool({ run: () => 1 }) } }, 'LOOM_TOOL_NAME_INVALID'],
    [{ name: 'a', version: '1.0.0', tools: [], prefx: 'a' }, 'LOOM_OPTION_UNKNOWN'],
  ])('refuses %j with %s', (options, code) => {
    expect(() => toolkit(options as never)).toThrow(expect.objectContaining({ code }))
  })
})

describe('a breaker', () => {
  const clock = standingClock()
  const flaky = (outcomes: (() => unknown)[]): Tool => tool({ name: 'flaky', effect: 'read', run: () => outcomes.shift()?.() ?? 'ok' })
  const fail = (): never => {
    throw new Error('down')
  }
  const inputs = (count: number): readonly object[] => Array.from({ length: count }, (_, n) => ({ n }))

  test('opens when a tool keeps failing, and says so in the result and in its notes', async () => {
    const given = withBreaker(flaky([fail, fail, fail]), { minimum: 2, openFor: 1000, clock })
    const found = await ends(given, inputs(4))
    expect(found.map(({ status, meta }) => [status, meta?.['circuit']])).toEqual([
      ['error', undefined],
      ['error', undefined],
      ['error', 'open'],
      ['error', 'open'],
    ])
    expect(found[3]?.value).toBe('flaky failed: The circuit of flaky is open: it kept failing. Try again in 1000 ms.')
  })

  test('lets one call through when its time is over, and closes when that succeeds', async () => {
    const given = withBreaker(flaky([fail, fail]), { minimum: 2, openFor: 1000, clock })
    const found = await ends(given, inputs(4), { between: () => clock.advance(1000) })
    expect(found.map(({ status, meta }) => [status, meta?.['circuit']])).toEqual([
      ['error', undefined],
      ['error', undefined],
      ['success', 'half-open'],
      ['success', undefined],
    ])
  })

  test('counts errors that a tool returns, and not those of its arguments', async () => {
    const returned = (code: 'LOOM_TOOL_FAILED' | 'LOOM_TOOL_INPUT_INVALID') => () => new LoomError(code, 'no')
    const failing = withBreaker(flaky([returned('LOOM_TOOL_FAILED'), returned('LOOM_TOOL_FAILED')]), { minimum: 2, clock })
    expect((await ends(failing, inputs(3))).map(({ meta }) => meta?.['circuit'])).toEqual([undefined, undefined, 'open'])
    const misused = withBreaker(flaky([returned('LOOM_TOOL_INPUT_INVALID'), returned('LOOM_TOOL_INPUT_INVALID')]), { minimum: 2, clock })
    expect((await ends(misused, inputs(3))).map(({ status }) => status)).toEqual(['error', 'error', 'success'])
  })

  test('takes tools whose bodies are generators, and refuses durable ones', async () => {
    const generating = tool({
      name: 'generating',
      effect: 'read',
      async *run() {
        yield 'half'
        return 'whole'
      },
    })
    expect(await ends(withBreaker(generating), [{}])).toMatchObject([{ status: 'success', value: 'whole' }])
    const durable = tool({ name: 'd', durable: true, run: () => 1 })
    expect(() => withBreaker(durable)).toThrow(expect.objectContaining({ code: 'LOOM_TOOL_INVALID' }))
  })
})

describe('a cache', () => {
  /** A tool that counts its calls. */
  const counting = (effect: 'read' | 'idempotent' = 'read') => {
    const counter = { calls: 0 }
    const given = tool({ name: 'count', effect, run: () => `call ${++counter.calls}` })
    return { counter, given }
  }

  test('returns the same result for the same arguments, and says so in the notes', async () => {
    const clock = standingClock()
    const { counter, given } = counting()
    const found = await ends(withCache(given, { ttl: 100, clock }), [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 2 }, { a: 1, b: 2 }], {
      between: () => clock.advance(40),
    })
    expect(found.map(({ value, meta }) => [value, meta])).toEqual([
      ['call 1', { cache: 'miss' }],
      ['call 1', { cache: 'hit', age: 40 }],
      ['call 2', { cache: 'miss' }],
      ['call 3', { cache: 'miss' }],
    ])
    expect(counter.calls).toBe(3)
  })

  test('keeps as many results as it may, and drops the one that was used longest ago', async () => {
    const { given } = counting()
    const inputs = [1, 2, 1, 3, 1, 2].map((n) => ({ n }))
    expect((await ends(withCache(given, { size: 2 }), inputs)).map(({ meta }) => meta?.['cache'])).toEqual([
      'miss',
      'miss',
      'hit',
      'miss',
      'hit',
      'miss',
    ])
  })

  test('is not shared by runs with other dependencies, unless the program gives the key', async () => {
    const { given } = counting()
    const cached = withCache(given)
    const [ann, bob] = [{ user: 'ann' }, { user: 'bob' }]
    const first = [await ends(cached, [{}], { deps: ann }), await ends(cached, [{}], { deps: bob }), await ends(cached, [{}], { deps: ann })]
    expect(first.map(([end]) => end?.value)).toEqual(['call 1', 'call 2', 'call 1'])
    const shared = withCache(given, { key: () => 'all' })
    const second = [await ends(shared, [{ a: 1 }], { deps: ann }), await ends(shared, [{ a: 2 }], { deps: bob })]
    expect(second.map(([end]) => end?.value)).toEqual(['call 3', 'call 3'])
  })

  test('keeps no errors', async () => {
    let calls = 0
    const failing = tool({
      name: 'failing',
      effect: 'read',
      run: () => {
        calls += 1
        if (calls === 1) throw new Error('down')
        return calls === 2 ? new LoomError('LOOM_TOOL_FAILED', 'no') : 'up'
      },
    })
    expect((await ends(withCache(failing), [{}, {}, {}, {}])).map(({ status, meta }) => [status, meta?.['cache']])).toEqual([
      ['error', undefined],
      ['error', 'miss'],
      ['success', 'miss'],
      ['success', 'hit'],
    ])
  })

  test('is refused around tools that may change something', () => {
    for (const given of [counting('idempotent').given, tool({ name: 'x', run: () => 1 }), tool({ name: 'x', effect: () => 'read', run: () => 1 })]) {
      expect(() => withCache(given)).toThrow(expect.objectContaining({ code: 'LOOM_TOOL_INVALID' }))
    }
  })
})
