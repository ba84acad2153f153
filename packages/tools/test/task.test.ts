import { agent, approve, memoryJournal, type Tool, tool } from '@loom-agent/agent'
import { type EventOf, readEvents } from '@loom-agent/kernel'
import { assertChaos, assertHistory, type ScriptedModel, scriptedModel, steadyModel } from '@loom-agent/testing'
import { doneTool, taskTool } from '@loom-agent/tools'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'

const reads = (name: string, run: () => unknown = () => `${name} ran`): Tool => tool({ name, effect: 'read', run })
const writes = (name: string, run: () => unknown = () => `${name} ran`): Tool => tool({ name, run })
const task = (prompt: string, tools?: readonly string[]) => ({ tool: 'task', input: { description: 'look it up', prompt, ...(tools && { tools }) } })

/** An agent that hands out tasks, and its journal. */
function office(options: {
  child: ScriptedModel
  calls: readonly object[]
  tools?: readonly Tool[]
  permissions?: Parameters<typeof agent>[0]['permissions']
}) {
  const journal = memoryJournal()
  const { child, calls, tools = [], permissions } = options
  const model = scriptedModel([{ calls: calls as never }, 'Done.'])
  const given = taskTool({ agent: agent({ name: 'explorer', model: child }), tools })
  return { journal, model, boss: agent({ name: 'boss', model, journal, tools: [given], ...(permissions && { permissions }) }) }
}

describe('task', () => {
  test('hands the prompt to a child with a thread of its own, and returns its real status', async () => {
    const child = scriptedModel('It is blue.')
    const { boss, model, journal } = office({ child, calls: [task('Which colour?')] })
    const result = await boss.run('Find out.', { thread: 't' })
    expect(result.steps[0]?.calls).toMatchObject([
      { status: 'success', output: { task: 'look it up', status: 'completed', result: 'It is blue.', turns: 1 } },
    ])
    expect(JSON.stringify(child.requests[0]?.prompt)).toContain('Which colour?')
    expect(JSON.stringify(child.requests[0]?.prompt)).not.toContain('Find out.')
    expect(model.requests).toHaveLength(2)
    const started = (await eventsOf(journal, 't')).filter((event): event is EventOf<'child.started'> => event.type === 'child.started')
    expect(started).toMatchObject([{ data: { agent: 'explorer', call: '1.0' } }])
  })

  test('gives the child read_file, glob and grep by default, or those that are asked for', async () => {
    const tools = ['read_file', 'glob', 'grep', 'list'].map((name) => reads(name))
    const child = scriptedModel(() => 'ok')
    const { boss } = office({ child, tools, calls: [task('a'), task('b', ['list']), task('c', [])] })
    await boss.run('Go.')
    const given = child.requests.map(({ tools: specs, prompt }) => [JSON.stringify(prompt).includes('"b"'), specs?.map(({ name }) => name)])
    expect(given.filter(([isSecond]) => isSecond)).toEqual([[true, ['list']]])
    expect(given.filter(([isSecond]) => !isSecond)).toEqual([
      [false, ['read_file', 'glob', 'grep']],
      [false, ['read_file', 'glob', 'grep']],
    ])
  })

  test('refuses a tool that the program did not list, with the nearest', async () => {
    const { boss } = office({ child: scriptedModel('x'), tools: [reads('grep')], calls: [task('a', ['gerp']), task('b', ['bash']), task('  ')] })
    const { steps } = await boss.run('Go.')
    expect(steps[0]?.calls.map(({ output }) => output)).toEqual([
      expect.stringContaining('the tool "gerp". Did you mean grep?'),
      expect.stringContaining('the tool "bash". The tools are: grep.'),
      expect.stringContaining('The prompt is blank.'),
    ])
  })

  test('lets the child read, denies what writes and all else, and asks about commands', async () => {
    const ran: string[] = []
    const track = (name: string) => () => `ran as number ${ran.push(name)}`
    const names = ['read_file', 'write_file', 'edit', 'send_mail', 'bash']
    const tools = names.map((name) => (name === 'read_file' ? reads(name, track(name)) : writes(name, track(name))))
    const child = scriptedModel([{ calls: names.map((name) => ({ tool: name })) }, 'Tried.'])
    const { boss } = office({ child, tools, calls: [task('a', names)] })
    const asked: (string | undefined)[] = []
    await boss.run('Go.', {
      onQuestion: ({ call }) => {
        asked.push(call?.tool)
        return approve()
      },
    })
    expect(asked).toEqual(['bash'])
    expect(ran.sort()).toEqual(['bash', 'read_file'])
  })

  test('asks where a tool asks itself, although it only reads', async () => {
    const secret = tool({ name: 'read_file', effect: 'read', permission: 'ask', run: () => 'secret' })
    const { boss } = office({ child: scriptedModel([{ calls: [{ tool: 'read_file' }] }, 'Read.']), tools: [secret], calls: [task('a')] })
    expect(await boss.run('Go.')).toMatchObject({ status: 'waiting', questions: [{ call: { tool: 'read_file' } }] })
  })

  test('keeps the permissions and the limits of the agent that does it', async () => {
    const child = scriptedModel(() => ({ calls: [{ tool: 'look' }] }))
    const worker = agent({ name: 'worker', model: child, permissions: { default: 'deny' }, limits: { turns: 2, loop: false } })
    const model = scriptedModel([{ calls: [task('a', ['look'])] }, 'Done.'])
    const ran: string[] = []
    const { steps } = await agent({ model, tools: [taskTool({ agent: worker, tools: [reads('look', () => ran.push('look'))] })] }).run('Go.')
    expect(steps[0]?.calls).toMatchObject([{ output: { status: 'stopped', turns: 2 } }])
    expect(ran).toEqual([])
  })

  test('never gives the child more than its parent may do', async () => {
    const ran: string[] = []
    const child = scriptedModel([{ calls: [{ tool: 'read_file' }] }, 'Tried.'])
    const { boss } = office({
      child,
      tools: [reads('read_file', () => ran.push('read_file'))],
      calls: [task('a')],
      permissions: { task: 'allow', read_file: 'deny', default: 'allow' },
    })
    await boss.run('Go.')
    expect(ran).toEqual([])
    expect(JSON.stringify(child.requests[1]?.prompt)).toContain('not permitted')
  })

  test('runs the tasks of one reply side by side', async () => {
    let running = 0
    const meet = reads('meet', async () => {
      running += 1
      await until(() => running === 2)
      return 'met'
    })
    const child = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'met' : { calls: [{ tool: 'meet' }] }))
    const { boss } = office({ child, tools: [meet], calls: [task('a', ['meet']), task('b', ['meet'])] })
    expect(await boss.run('Go.')).toMatchObject({ status: 'done' })
  })

  test('stops after ten turns and says so, with what there is', async () => {
    let n = 0
    const child = scriptedModel(() => ({ text: 'Looking.', calls: [{ tool: 'look', input: { n: ++n } }] }))
    const { boss } = office({ child, tools: [reads('look')], calls: [task('a', ['look'])] })
    const { steps, usage } = await boss.run('Go.')
    expect(steps[0]?.calls).toMatchObject([{ output: { status: 'stopped', turns: 10, reason: expect.stringContaining('10') } }])
    expect(usage.input).toBe(12 * 10)
  })

  test('is an error when the child fails, and stops with its parent', async () => {
    const failing = office({
      child: scriptedModel(() => Promise.reject(Object.assign(new Error('no model'), { isRetryable: false }))),
      calls: [task('a')],
    })
    const { steps } = await failing.boss.run('Go.')
    expect(steps[0]?.calls).toMatchObject([{ status: 'error', output: expect.stringContaining('The task "look it up" failed') }])

    const entered = Promise.withResolvers<AbortSignal>()
    const hang = tool({
      name: 'hang',
      effect: 'read',
      run: (_, { signal }) => {
        entered.resolve(signal)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      },
    })
    const { boss } = office({ child: scriptedModel([{ calls: [{ tool: 'hang' }] }, 'x']), tools: [hang], calls: [task('a', ['hang'])] })
    const run = boss.start('Go.')
    const signal = await entered.promise
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect(signal.aborted).toBe(true)
  })

  test('passes the events of the child on to who watches the run', async () => {
    const { boss, journal } = office({
      child: scriptedModel([{ calls: [{ tool: 'look' }] }, 'ok']),
      tools: [reads('look')],
      calls: [task('a', ['look'])],
    })
    const run = boss.start('Go.', { thread: 't' })
    const threads = new Set<string>()
    for await (const event of run.events({ nested: true })) threads.add(event.thread)
    expect(threads.size).toBe(2)
    for (const thread of threads) {
      const events = []
      for await (const event of readEvents(journal, thread)) events.push(event)
      assertHistory(events)
    }
  })

  test('starts each child once, and does its work once, whenever the process dies', async () => {
    const world = () => ({
      notes: {} as Record<string, number>,
      note(key: string) {
        this.notes[key] = (this.notes[key] ?? 0) + 1
        return 'noted'
      },
    })
    const child = steadyModel([{ calls: [{ tool: 'note' }] }, 'Noted.'])
    const model = steadyModel([{ calls: [task('a', ['note']), task('b', ['note'])] }, 'Done.'])
    const report = await assertChaos(
      ({ journal, world: outside }) => {
        const note = tool({ name: 'note', effect: 'idempotent', run: (_, { key }) => outside.note(key) })
        const worker = agent({ name: 'worker', model: child })
        return agent({ model, journal, tools: [taskTool({ agent: worker, tools: [note], permissions: { default: 'allow' } })] })
      },
      { inputs: ['Go.'], world, observe: ({ notes }) => Object.keys(notes).length },
    )
    expect(report.trials).toBeGreaterThan(20)
  })

  test.each([
    [{}, 'LOOM_OPTION_INVALID'],
    [{ agent: {} }, 'LOOM_OPTION_INVALID'],
    [{ agent: agent({ name: 'a' }), defaults: ['grep'] }, 'LOOM_OPTION_INVALID'],
    [{ agent: agent({ name: 'a' }), tools: [5] }, 'LOOM_TOOL_INVALID'],
    [{ agent: agent({ name: 'a' }), turns: 0 }, 'LOOM_OPTION_INVALID'],
  ])('refuses the options of case %#', (options, code) => {
    expect(() => taskTool(options as never)).toThrow(expect.objectContaining({ code }))
  })
})

describe('done', () => {
  test('ends a run that must end through it, and a reply without it is answered by a reminder', async () => {
    const model = scriptedModel(['Nearly.', { calls: [{ tool: 'done', input: { summary: 'All is woven.' } }] }, 'Finished.'])
    const result = await agent({ model, tools: [doneTool()], behaviour: { requireDone: 'done' } }).run('Weave.')
    expect(result).toMatchObject({ status: 'done', turns: expect.any(Number) })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('call done')
    expect(result.steps.flatMap(({ calls }) => calls)).toMatchObject([{ tool: 'done', status: 'success', output: 'All is woven.' }])
  })

  test('needs no summary', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'done' }] }, 'Finished.'])
    const { steps } = await agent({ model, tools: [doneTool()] }).run('Go.')
    expect(steps[0]?.calls).toMatchObject([{ status: 'success', output: 'Noted: the task is finished.' }])
  })
})
