import {
  agent,
  type ContextStrategy,
  compress,
  explain,
  frameOf,
  memoryJournal,
  respond,
  type TodoStatus,
  todo,
  todosOf,
  tool,
} from '@loom-agent/agent'
import { checkContexts, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

type Given = { readonly id?: string; readonly text: string; readonly status: TodoStatus }
const setting = (...todos: readonly Given[]): ScriptedReply => ({ calls: [{ tool: 'todo', input: { todos: [...todos] } }] })
const write: Given = { text: 'Write the letter.', status: 'in_progress' }
const send: Given = { id: 's', text: 'Send it.', status: 'pending' }
const look = tool({ name: 'look', effect: 'read', run: () => `seen ${'x y '.repeat(300)}` })
const limits = { turns: 300, loop: false } as const

const listOf = async (worker: ReturnType<typeof agent>, thread = 't'): Promise<readonly string[] | undefined> => {
  const events = await eventsOf(worker, thread)
  return todosOf(await frameOf(worker.journal, `${thread}@${events.length}`))?.todos.map(({ id, text, status }) => `${id} ${text} ${status}`)
}

describe('the list of tasks', () => {
  test('is what the latest call has set, and any process reads it from the journal', async () => {
    const model = scriptedModel([setting(write, send), setting({ ...write, status: 'done' }, send), 'Done.'])
    const worker = agent({ model, tools: [todo()] })
    await worker.run('Go.', { thread: 't' })
    expect(await listOf(worker)).toEqual(['1 Write the letter. done', 's Send it. pending'])
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('The list has 2 tasks: 1 pending, 1 in progress, 0 done.')
    const entered = (await eventsOf(worker, 't')).filter(({ type }) => type === 'turn.entered')[1]
    expect(todosOf(await frameOf(worker.journal, `t@${entered?.seq}`))).toMatchObject({ turn: 1, todos: [{ status: 'in_progress' }, { id: 's' }] })
  })

  test('of a fork is the list at the moment of the cut', async () => {
    const model = scriptedModel([setting(write), setting(send), 'Done.', 'Well.'])
    const worker = agent({ model, tools: [todo()] })
    await worker.run('Go.', { thread: 't' })
    const entered = (await eventsOf(worker, 't')).filter(({ type }) => type === 'turn.entered')[1]
    const fork = await worker.fork(`t@${entered?.seq}`, { limits: { tokens: 100_000 } })
    await fork.resume().result()
    expect(await listOf(worker, fork.thread)).toEqual(['1 Write the letter. in_progress'])
    expect(await listOf(worker)).toEqual(['s Send it. pending'])
  })

  test('counts the last of several calls at once, and the arguments that a human has set', async () => {
    const both = {
      calls: [
        { tool: 'todo', input: { todos: [write] } },
        { tool: 'todo', input: { todos: [send] } },
      ],
    }
    const worker = agent({ model: scriptedModel([both, 'Done.']), tools: [todo()] })
    await worker.run('Go.', { thread: 't' })
    expect(await listOf(worker)).toEqual(['s Send it. pending'])
  })

  test.each<readonly [string, unknown, RegExp]>([
    ['two tasks in progress', { todos: [write, { ...write, text: 'Read.' }] }, /2 tasks are in progress, and at most one can be/],
    ['an id twice', { todos: [send, { ...send, text: 'Again.' }] }, /Two tasks have the id \\"s\\"/],
    ['a blank task', { todos: [{ text: '  ', status: 'pending' }] }, /Task 1 has a blank text/],
    ['another status', { todos: [{ text: 'x', status: 'later' }] }, /status/],
    ['a task without a text', { todos: [{ status: 'pending' }] }, /text/],
    ['too many tasks', { todos: Array.from({ length: 51 }, () => ({ text: 'x', status: 'pending' })) }, /todos/],
    ['a text that is too long', { todos: [{ text: 'x'.repeat(301), status: 'pending' }] }, /text/],
    ['no list', { tasks: [] }, /todos/],
  ])('does not change by a call with %s', async (_name, input, words) => {
    const model = scriptedModel([setting(write), { calls: [{ tool: 'todo', input: input as object }] }, 'Done.'])
    const worker = agent({ model, tools: [todo()] })
    await worker.run('Go.', { thread: 't' })
    expect(await listOf(worker)).toEqual(['1 Write the letter. in_progress'])
    expect(JSON.stringify(model.requests[2]?.prompt)).toMatch(words)
    expect((await factsOf(worker, 't', 'tool.finished')).length + (await factsOf(worker, 't', 'tool.denied')).length).toBe(2)
  })

  test('does not change by a call that a human has answered in place of the tool', async () => {
    const model = scriptedModel([setting(write), 'Done.'])
    const worker = agent({ model, tools: [todo()], permissions: { todo: 'ask' }, onQuestion: () => respond('Not now.') })
    await worker.run('Go.', { thread: 't' })
    expect(await listOf(worker)).toBeUndefined()
  })

  test('gives tasks without an id the first numbers that are free', async () => {
    const model = scriptedModel([setting({ ...send, id: '2' }, send, { text: 'A', status: 'done' }, { text: 'B', status: 'done' }), 'Done.'])
    const worker = agent({ model, tools: [todo()] })
    await worker.run('Go.', { thread: 't' })
    expect((await listOf(worker))?.map((line) => line.split(' ')[0])).toEqual(['2', 's', '3', '4'])
  })
})

describe('after a rebase', () => {
  const itemsIn = async (worker: ReturnType<typeof agent>): Promise<readonly string[]> =>
    (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data, turn }) =>
      (data.items ?? []).map(({ kind, text }) => `${turn} ${kind}: ${text}`),
    )

  test('that leaves the call out the list is an item, however many rebases follow, and an outdated one goes', async () => {
    let number = 0
    const model = scriptedModel(() => {
      number += 1
      if (number === 1) return setting(write, send)
      if (number === 90) return setting({ ...write, status: 'done' }, { ...send, status: 'in_progress' })
      return number < 180 ? { calls: [{ tool: 'look' }] } : 'Done.'
    })
    const worker = agent({ model, tools: [look, todo()], context: compress({ max: 4000 }), limits })
    await worker.run('Go.', { thread: 't' })
    for (const [index, { prompt }] of model.requests.entries()) {
      const text = JSON.stringify(prompt)
      const isSecond = index >= 90
      if (index > 0) expect(text).toMatch(isSecond ? /\[x\] Write the letter|"status":"done"/ : /\[>\] Write the letter|"status":"in_progress"/)
    }
    const rebases = (await factsOf(worker, 't', 'context.assembled')).filter(({ data }) => data.rebase?.reason === 'compress')
    expect(rebases.length).toBeGreaterThan(5)
    const items = await itemsIn(worker)
    expect(items.length).toBeGreaterThan(1)
    const last = JSON.stringify(model.requests.at(-1)?.prompt)
    expect(last.match(/\[The list of tasks as it is now\]/g)).toHaveLength(1)
    expect(last).toContain('[x] Write the letter.\\n[>] Send it.')
    expect(checkContexts(await eventsOf(worker, 't'), model.requests)).toEqual([])
    expect((await worker.replay('t')).turns.some(({ differs }) => differs)).toBe(false)
  })

  test('an outdated list that is still near the end is left out by name', async () => {
    let number = 0
    const model = scriptedModel(() => {
      number += 1
      if (number === 1) return setting(write)
      // Just after the list was shown again, it changes.
      const isShown = JSON.stringify(model.requests.at(-1)?.prompt ?? '').includes('as it is now]')
      if (isShown && !JSON.stringify(model.requests.at(-1)?.prompt).includes('Send it.')) return setting(send)
      return number < 60 ? { calls: [{ tool: 'look' }] } : 'Done.'
    })
    const worker = agent({ model, tools: [look, todo()], context: compress({ max: 4000 }), limits })
    await worker.run('Go.', { thread: 't' })
    const rules = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) =>
      (data.rebase?.segments ?? []).flatMap((segment) => (segment.as === 'dropped' ? [segment.rule] : [])),
    )
    const last = JSON.stringify(model.requests.at(-1)?.prompt)
    expect(last).toContain('[ ] Send it.')
    expect(rules.length === 0 || rules.every((rule) => rule === 'todo')).toBe(true)
    expect(last).not.toContain('[>] Write the letter.')
  })

  test('that shows the call, or of an empty list, nothing is added; and the words can be yours', async () => {
    const cutting = (to: number): ContextStrategy => ({
      name: 'cutting',
      assemble: ({ frame }) =>
        frame.turn === 3 ? { rebase: { reason: 'old', segments: [{ to, as: 'dropped', rule: 'old', reason: 'It is old.' }] } } : {},
    })
    const run = async (to: number, todos: readonly Given[]): Promise<readonly string[]> => {
      const model = scriptedModel([setting(...todos), { calls: [{ tool: 'look' }] }, 'Done.'])
      const mine = todo({ show: (list) => `Mine: ${list.map(({ text }) => text).join()}` })
      const worker = agent({ model, tools: [look, mine], context: cutting(to), journal: memoryJournal(), limits })
      await worker.run('Go.', { thread: 't' })
      expect(checkContexts(await eventsOf(worker, 't'), model.requests)).toEqual([])
      return itemsIn(worker)
    }
    expect(await run(1, [write])).toEqual([])
    expect(await run(3, [])).toEqual([])
    expect(await run(3, [write])).toEqual(['3 todo: Mine: Write the letter.'])
  })

  test('the explanation names the item', async () => {
    let number = 0
    const model = scriptedModel(() => (number++ === 0 ? setting(write) : number < 40 ? { calls: [{ tool: 'look' }] } : 'Done.'))
    const worker = agent({ model, tools: [look, todo()], context: compress({ max: 4000 }), limits })
    await worker.run('Go.', { thread: 't' })
    const { asked } = await explain(worker.journal, { thread: 't', turn: number }, { item: 'todo' })
    expect(asked).toMatchObject({ isShown: false })
    expect(asked?.found.at(-1)).toMatchObject({ isShown: true, part: { name: 'todo', origin: 'loom' } })
  })
})

test('the tool under another name keeps the list too', async () => {
  const model = scriptedModel([{ calls: [{ tool: 'tasks', input: { todos: [write] } }] }, 'Done.'])
  const worker = agent({ model, tools: { tasks: todo() } })
  await worker.run('Go.', { thread: 't' })
  const events = await eventsOf(worker, 't')
  const frame = await frameOf(worker.journal, `t@${events.length}`)
  expect(todosOf(frame)).toBeUndefined()
  expect(todosOf(frame, 'tasks')?.todos).toHaveLength(1)
  expect(() => todo({ names: 'x' } as never)).toThrow(/Did you mean "name"/)
})
