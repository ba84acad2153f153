/** What a run asks of its journal: nothing that it knows already. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'

/** A journal, and the names of the calls that were made of it. */
function countedJournal(): { readonly journal: Journal; readonly calls: () => readonly string[] } {
  const inner = memoryJournal()
  let calls: string[] = []
  const counted =
    <A extends unknown[], R>(name: string, call: (...given: A) => R) =>
    (...given: A): R => {
      calls.push(name)
      return call(...given)
    }
  const journal: Journal = {
    ...inner,
    acquire: counted('acquire', inner.acquire),
    release: counted('release', inner.release),
    append: counted('append', inner.append),
    head: counted('head', inner.head),
    read: counted('read', inner.read),
  }
  return {
    journal,
    calls: () => {
      const made = calls
      calls = []
      return made
    },
  }
}

/** A result is there with the end of its run; the driver releases the thread right after. */
const released = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const look = tool({ name: 'look', effect: 'read', run: async () => 'roses' })
const script = () => scriptedModel([{ calls: [{ tool: 'look' }] }, 'Roses.', 'Still roses.', 'And now?'])

test('a run on a new thread acquires, appends and releases; it reads nothing', async () => {
  const { journal, calls } = countedJournal()
  await agent({ model: script(), tools: [look], journal }).run('What do you see?')
  await released()
  expect(calls()).toEqual(['append', 'acquire', 'append', 'append', 'append', 'append', 'release'])
})

test('a second run looks once whether another process has written to the thread', async () => {
  const { journal, calls } = countedJournal()
  const gardener = agent({ model: script(), tools: [look], journal })
  await gardener.run('What do you see?', { thread: 't' })
  await released()
  calls()
  await gardener.run('And now?', { thread: 't' })
  await released()
  expect(calls()).toEqual(['read', 'append', 'acquire', 'append', 'append', 'release'])
})

test('a request of a handle looks once whether another process has written to the thread, and appends', async () => {
  const { journal, calls } = countedJournal()
  const { promise, resolve } = Promise.withResolvers<string>()
  const wait = tool({ name: 'look', effect: 'read', run: () => promise })
  const run = agent({ model: script(), tools: [wait], journal }).start('What do you see?', { thread: 't' })
  for await (const { type } of run.events()) if (type === 'tool-start') break
  calls()
  await run.steer('Look closer.')
  const steered = calls()
  await run.pause()
  const paused = calls()
  resolve('roses')
  await run.result()
  // The driver reads what was appended.
  for (const made of [steered, paused]) expect(made.slice(0, made.indexOf('append') + 1)).toEqual(['read', 'append'])
})

test('what another process appended is read once, up to the head', async () => {
  const { journal, calls } = countedJournal()
  const model = script()
  const [here, there] = [agent({ model, tools: [look], journal }), agent({ model, tools: [look], journal })]
  await here.run('What do you see?', { thread: 't' })
  await there.run('And now?', { thread: 't' })
  await released()
  calls()
  expect((await here.run('Once more.', { thread: 't' })).text).toBe('And now?')
  expect(calls().filter((name) => name === 'read' || name === 'head')).toEqual(['read', 'read'])
})
