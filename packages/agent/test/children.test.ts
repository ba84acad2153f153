import { agent, approve, frameAt, reject, tool } from '@loom-agent/agent'
import { questionIdOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const ask = (name: string, prompt = 'do it') => ({ calls: [{ tool: name, input: { prompt } }] })

describe('an agent as a tool', () => {
  test('answers its parent, on a thread of its own', async () => {
    const child = agent({ name: 'researcher', description: 'Looks things up.', model: scriptedModel('The answer is 42.') })
    const model = scriptedModel([ask('researcher', 'What is it?'), 'It is 42.'])
    const boss = agent({ model, tools: [child] })
    const result = await boss.run('Find out.', { thread: 't' })
    expect(result).toMatchObject({ status: 'done', text: 'It is 42.', usage: { input: 30, output: 15 } })
    expect(model.requests[0]?.tools).toMatchObject([{ name: 'researcher', description: 'Looks things up.' }])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('The answer is 42.')
    const [started] = await factsOf(boss, 't', 'child.started')
    const thread = started?.data.child ?? ''
    expect((await eventsOf(boss, thread))[0]?.data).toMatchObject({ agent: 'researcher', parent: { thread: 't', call: '1.0', depth: 1 } })
    expect(await typesOf(boss, thread)).toContain('run.finished')
  })

  test('is given under the key of a record, and runs beside its siblings', async () => {
    let most = 0
    const slow = tool({
      name: 'slow',
      effect: 'read',
      run: async () => {
        most += 1
        await until(() => most === 2)
        return 'x'
      },
    })
    const worker = () => agent({ name: 'worker', model: scriptedModel([{ calls: [{ tool: 'slow' }] }, 'done']), tools: [slow] })
    const model = scriptedModel([
      {
        calls: [
          { tool: 'a', input: { prompt: '1' } },
          { tool: 'b', input: { prompt: '2' } },
        ],
      },
      'ok',
    ])
    await agent({ model, tools: { a: worker(), b: worker() } }).run('go')
    expect(most).toBe(2)
  })

  test('that stops, fails or has output returns that to its parent', async () => {
    const loops = agent({
      name: 'loops',
      model: scriptedModel(() => ({ text: 'so far', calls: [{ tool: 'nothing' }] })),
      limits: { turns: 2, loop: false },
    })
    const fails = agent({ name: 'fails', model: scriptedModel({ throws: new Error('no model') }) })
    const gives = agent({ name: 'gives', model: scriptedModel('{"n": 7}'), output: z.object({ n: z.number() }) })
    const model = scriptedModel([{ calls: ['loops', 'fails', 'gives'].map((name) => ({ tool: name, input: { prompt: 'x' } })) }, 'ok'])
    const boss = agent({ model, tools: [loops, fails, gives] })
    expect((await boss.run('go', { thread: 't' })).status).toBe('done')
    const results = await factsOf(boss, 't', 'tool.finished')
    const of = (call: string) => results.find(({ data }) => data.call === call)?.data
    expect(of('1.0')).toMatchObject({ status: 'success' })
    expect(JSON.stringify(of('1.0'))).toContain('stopped before it was done')
    expect(of('1.1')).toMatchObject({ status: 'error' })
    expect(JSON.stringify(of('1.1'))).toContain('no model')
    expect(of('1.2')).toMatchObject({ status: 'success', output: { type: 'json', value: { n: 7 } } })
  })

  test('may not be nested deeper than the limit', async () => {
    const innermost = agent({ name: 'three', model: scriptedModel('bottom') })
    const middle = agent({ name: 'two', model: scriptedModel([ask('three'), 'middle']), tools: [innermost], limits: { depth: 1 } })
    const boss = agent({ model: scriptedModel([ask('two'), 'top']), tools: [middle] })
    expect((await boss.run('go', { thread: 't' })).text).toBe('top')
    const child = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    expect(JSON.stringify(await factsOf(boss, child, 'tool.finished'))).toContain('Raise limits.depth')
  })

  test('has ten turns by default', async () => {
    const child = agent({ name: 'child', model: scriptedModel(() => ({ calls: [{ tool: 'x' }] })), limits: { loop: false } })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
    await boss.run('go', { thread: 't' })
    const thread = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    expect(await factsOf(boss, thread, 'turn.entered')).toHaveLength(10)
  })

  test('spends from its parent’s budget: its own limit, at most a fair share of what is left', async () => {
    const child = () => agent({ name: 'child', model: scriptedModel(() => ({ calls: [{ tool: 'x' }] })), limits: { loop: false, onReached: 'stop' } })
    const model = scriptedModel([
      {
        calls: [
          { tool: 'a', input: { prompt: '1' } },
          { tool: 'b', input: { prompt: '2' } },
        ],
      },
      'ok',
    ])
    const boss = agent({ model, tools: { a: child(), b: child() }, limits: { tokens: 115 } })
    await boss.run('go', { thread: 't', limits: { onReached: 'stop', tokens: 115 } })
    for (const { data } of await factsOf(boss, 't', 'child.started')) {
      const [started] = await factsOf(boss, data.child, 'run.started')
      expect(started?.data).toMatchObject({ request: { limits: { tokens: 50 } } })
    }
  })
})

describe('a question inside a child', () => {
  const pay = (paid: string[]) =>
    tool({ name: 'pay', input: z.object({ to: z.string() }), permission: 'ask', run: ({ to }) => paid.push(to) && `paid ${to}` })

  test('reaches the caller that runs the root, at any depth, and its answer goes back down', async () => {
    const paid: string[] = []
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel([{ calls: [{ tool: 'pay', input: { to: 'ann' } }] }, 'paid']),
      tools: [pay(paid)],
    })
    const manager = agent({ name: 'manager', model: scriptedModel([ask('clerk'), 'managed']), tools: [clerk] })
    const boss = agent({ model: scriptedModel([ask('manager'), 'all done']), tools: [manager] })
    const run = boss.start('go', { thread: 't' })
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval', call: { tool: 'pay', input: { to: 'ann' } } }] })
    expect(waiting.questions[0]?.thread).not.toBe('t')
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'all done' })
    expect(paid).toEqual(['ann'])
  })

  test('can be answered by another agent object that has only the journal', async () => {
    const paid: string[] = []
    const build = (bossSays: Parameters<typeof scriptedModel>[0], clerkSays: Parameters<typeof scriptedModel>[0]) => {
      const clerk = agent({ name: 'clerk', model: scriptedModel(clerkSays), tools: [pay(paid)] })
      return { model: scriptedModel(bossSays), tools: [clerk] }
    }
    const first = agent(build([ask('clerk')], [{ calls: [{ tool: 'pay', input: { to: 'ann' } }] }]))
    const { questions } = await first.run('go', { thread: 't' })
    const second = agent({ ...build('all done', 'paid'), journal: first.journal })
    await second.answer(questions[0]?.id ?? '', approve())
    expect(await second.resume('t').result()).toMatchObject({ status: 'done', text: 'all done' })
    expect(paid).toEqual(['ann'])
  })

  test('is answered while the parent is busy with something else', async () => {
    const paid: string[] = []
    let release: (value: string) => void = () => {}
    const slow = tool({ name: 'slow', effect: 'read', run: () => new Promise<string>((resolve) => (release = resolve)) })
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel([{ calls: [{ tool: 'pay', input: { to: 'ann' } }] }, 'paid']),
      tools: [pay(paid)],
    })
    const model = scriptedModel([{ calls: [{ tool: 'slow' }, { tool: 'clerk', input: { prompt: 'pay' } }] }, 'ok'])
    const boss = agent({ model, tools: [slow, clerk] })
    const run = boss.start('go', { thread: 't' })
    const child = async () => (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    await until(async () => (await typesOf(boss, await child())).includes('run.suspended'))
    const [question] = await factsOf(boss, await child(), 'question.asked')
    await boss.answer(questionIdOf(await frameAt(boss.journal, await child()), question?.data.id ?? ''), approve())
    await until(() => paid.length > 0)
    release('x')
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(paid).toEqual(['ann'])
  })

  test('goes to the resolver of the root', async () => {
    const paid: string[] = []
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel([{ calls: [{ tool: 'pay', input: { to: 'ann' } }] }, 'ok']),
      tools: [pay(paid)],
    })
    const boss = agent({ model: scriptedModel([ask('clerk'), 'ok']), tools: [clerk], onQuestion: async () => reject('no') })
    expect((await boss.run('go')).status).toBe('done')
    expect(paid).toEqual([])
  })
})

describe('a child', () => {
  test('is never allowed what its parent is not (defect 15: a child bypassed the policy)', async () => {
    const did: string[] = []
    const danger = tool({ name: 'danger', run: () => did.push('x') })
    const child = agent({
      name: 'child',
      model: scriptedModel([{ calls: [{ tool: 'danger' }] }, 'ok']),
      tools: [danger],
      permissions: { danger: 'allow' },
    })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child], permissions: { child: 'allow', danger: 'deny' } })
    expect((await boss.run('go', { thread: 't' })).status).toBe('done')
    expect(did).toEqual([])
    const thread = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    expect(await factsOf(boss, thread, 'tool.denied')).toHaveLength(1)
  })

  test('stops with its parent', async () => {
    let started = false
    const hang = tool({
      name: 'hang',
      effect: 'read',
      run: (_, { signal }) => {
        started = true
        return new Promise((_resolve, refuse) => signal.addEventListener('abort', () => refuse(new Error('aborted'))))
      },
    })
    const child = agent({ name: 'child', model: scriptedModel([{ calls: [{ tool: 'hang' }] }]), tools: [hang] })
    const boss = agent({ model: scriptedModel([ask('child')]), tools: [child] })
    const run = boss.start('go', { thread: 't' })
    await until(() => started)
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    const thread = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    expect(await typesOf(boss, thread)).toContain('run.stopped')
  })

  test('cannot be resumed by itself', async () => {
    const child = agent({ name: 'child', model: scriptedModel('ok') })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
    await boss.run('go', { thread: 't' })
    const thread = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    await expect(boss.resume(thread).result()).rejects.toMatchObject({ code: 'LOOM_THREAD_IS_CHILD' })
  })

  test('is seen in the stream of its parent when asked for', async () => {
    const child = agent({ name: 'child', model: scriptedModel('from the child') })
    const boss = agent({ model: scriptedModel([ask('child'), 'ok']), tools: [child] })
    const run = boss.start('go', { thread: 't' })
    const threads = new Set<string>()
    let text = ''
    for await (const event of run.events({ nested: true })) {
      threads.add(event.thread)
      if (event.type === 'text-delta') text += event.text
    }
    expect(threads.size).toBe(2)
    expect(text).toBe('from the childok')
  })

  test('started by a durable body is typed by its output', async () => {
    const child = agent({ name: 'child', model: scriptedModel('{"n": 7}'), output: z.object({ n: z.number() }) })
    const twice = tool({
      name: 'twice',
      durable: true,
      run: async (_, ctx) => {
        const result = await ctx.run(child, 'go')
        return result.status === 'done' ? result.output.n * 2 : 0
      },
    })
    const model = scriptedModel([{ calls: [{ tool: 'twice' }] }, 'ok'])
    await agent({ model, tools: [twice] }).run('go')
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('"value":14')
  })
})
