/** Guards at what comes back to the body of a call: records of steps, and ends of children (GUARD-8). */
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { piiGuard } from '../src/guard/built-in/pii-guard.ts'
import { agent, approve, type Guard, type GuardedPlace, memoryJournal, readEvents, tool } from '../src/index.ts'

const hidden = /ann@example\.com/

async function allOf(journal: Journal): Promise<string> {
  const events: unknown[] = []
  for await (const event of readEvents(journal, 't')) events.push(event)
  return JSON.stringify(events)
}

const calling = (name: string) => scriptedModel([{ calls: [{ tool: name, input: name === 'finder' ? { prompt: 'Who?' } : {} }] }, 'Done.'])

test('what a step returned is stored as the guards leave it, and the body reads that back', async () => {
  const seen: unknown[] = []
  const find = tool({
    durable: true,
    effect: 'read',
    async run(_, ctx) {
      const found = await ctx.step('look', () => ({ mail: 'ann@example.com', id: 7 }))
      seen.push(found)
      await ctx.ask('Go on?')
      seen.push(await ctx.step('look again', () => ['ann@example.com']))
      return found
    },
  })
  const journal = memoryJournal()
  const careful = agent({ model: calling('find'), tools: { find }, guards: [piiGuard()], journal, onQuestion: () => approve() })
  await careful.run('Who is it?', { thread: 't' })
  // Live, when it is rehearsed, and when it is entered again.
  expect(new Set(seen.map((found) => JSON.stringify(found)))).toEqual(new Set(['{"mail":"[email]","id":7}', '["[email]"]']))
  expect(await allOf(journal)).not.toMatch(hidden)
})

test('what a step threw is stored as the guards leave it', async () => {
  const find = tool({
    durable: true,
    effect: 'read',
    run: (_, ctx) =>
      ctx.step('look', () => {
        throw new Error('no such person: ann@example.com')
      }),
  })
  const journal = memoryJournal()
  const model = calling('find')
  await agent({ model, tools: { find }, guards: [piiGuard()], journal }).run('Who is it?', { thread: 't' })
  expect(await allOf(journal)).not.toMatch(hidden)
  expect(JSON.stringify(model.requests)).toContain('no such person: [email]')
})

test('a step whose record a guard withholds has failed, and its body can go on', async () => {
  const strict: Guard = { name: 'strict', result: (text) => (hidden.test(text) ? { block: 'it names a person' } : undefined) }
  const find = tool({
    durable: true,
    effect: 'read',
    run: (_, ctx) => ctx.step('look', () => 'ann@example.com').catch((error: Error) => `without: ${error.message}`),
  })
  const journal = memoryJournal()
  const model = calling('find')
  await agent({ model, tools: { find }, guards: [strict], journal }).run('Who is it?', { thread: 't' })
  expect(JSON.stringify(model.requests)).toContain('without: it has run, and its result is withheld by the guard strict: it names a person')
  expect(await allOf(journal)).not.toMatch(hidden)
})

test('a step says what guards look at: nothing, or what a function hands on', async () => {
  const places: GuardedPlace[] = []
  const marking: Guard = {
    name: 'marking',
    result(text, place) {
      places.push(place)
      return place.step === undefined ? undefined : { rewrite: `<${text}>` }
    },
  }
  const seen: unknown[] = []
  const find = tool({
    durable: true,
    effect: 'read',
    async run(_, ctx) {
      seen.push(await ctx.step('ids', () => 'a-1', { guarded: false }))
      seen.push(
        await ctx.step('page', () => ({ id: 'a-1', text: 'x' }), { guarded: async (page, look) => ({ ...page, text: await look(page.text) }) }),
      )
      return 'ok'
    },
  })
  await agent({ model: calling('find'), tools: { find }, guards: [marking] }).run('Go.', { thread: 't' })
  expect(seen).toEqual(['a-1', { id: 'a-1', text: '<x>' }])
  expect(places.map(({ tool: name, step }) => [name, step])).toEqual([
    ['find', 'page'],
    ['find', undefined],
  ])
})

test('a step is refused whose guarded is neither false nor a function', async () => {
  const find = tool({ durable: true, effect: 'read', run: (_, ctx) => ctx.step('look', () => 1, { guarded: true as false }) })
  const model = calling('find')
  await agent({ model, tools: { find } }).run('Go.')
  expect(JSON.stringify(model.requests)).toContain('false or a function')
})

test('what a child came to is stored in the thread of its parent as the guards of the parent leave it', async () => {
  const journal = memoryJournal()
  const finder = agent({ name: 'finder', model: scriptedModel(['It is ann@example.com.']) })
  const parent = agent({ model: calling('finder'), tools: { finder }, guards: [piiGuard()], journal })
  await parent.run('Who is it?', { thread: 't' })
  const ends: unknown[] = []
  for await (const event of readEvents(journal, 't')) {
    expect(JSON.stringify(event)).not.toMatch(hidden)
    if (event.type === 'child.finished') ends.push(event.data.value)
  }
  expect(ends).toMatchObject([{ status: 'done', text: 'It is [email].' }])
})

test('what a child came to is withheld by a guard that blocks it', async () => {
  const strict: Guard = { name: 'strict', result: (text) => (hidden.test(text) ? { block: 'it names a person' } : undefined) }
  const journal = memoryJournal()
  const finder = agent({ name: 'finder', model: scriptedModel(['It is ann@example.com.']) })
  const model = calling('finder')
  await agent({ model, tools: { finder }, guards: [strict], journal }).run('Who is it?', { thread: 't' })
  expect(JSON.stringify(model.requests)).toContain('withheld by the guard strict')
  for await (const event of readEvents(journal, 't')) expect(JSON.stringify(event)).not.toMatch(hidden)
})
