/** Removing a thread while it is forked (JOURNAL-7): one of the two is refused, in every interleaving. */

import { setImmediate as nothingElse } from 'node:timers/promises'
import { agent, jsonSchema, memoryJournal, tool } from '@loom-agent/agent'
import { prune } from '@loom-agent/journals'
import { isLoomError, type Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './events.ts'

const look = tool({ name: 'look', effect: 'read', input: jsonSchema<object>({ type: 'object' }), run: () => 'seen' })
const story = () => scriptedModel(({ prompt }) => (prompt.length < 4 ? { calls: [{ tool: 'look', input: {} }] } : 'done'))

/** A journal whose calls wait until the test lets them continue, one after the other. */
function gated(inner: Journal) {
  const waiting: { readonly who: string; readonly go: () => void }[] = []
  const gate = (who: string): Journal => {
    const pass = (): Promise<void> => new Promise((go) => void waiting.push({ who, go }))
    const after = <T>(work: () => Promise<T>): Promise<T> => pass().then(work)
    return {
      ...inner,
      acquire: (thread, claim) => after(() => inner.acquire(thread, claim)),
      release: (thread, lease) => after(() => inner.release(thread, lease)),
      append: (thread, batch) => after(() => inner.append(thread, batch)),
      head: (thread) => after(() => inner.head(thread)),
      threads: (query) => after(() => inner.threads(query)),
      remove: (thread) => after(() => inner.remove(thread)),
    }
  }
  return { gate, waiting }
}

type Ending = string
const endingOf = (work: Promise<unknown>): Promise<Ending> =>
  work.then(
    (gone) => (gone === false ? 'kept' : 'done'),
    (error: unknown) => (isLoomError(error) ? error.code : String(error)),
  )

/** Removes the thread `t`; whether it is gone. */
type Remove = (journal: Journal) => Promise<boolean>
const removals: readonly (readonly [name: string, remove: Remove])[] = [
  ['by its name', (journal) => journal.remove('t').then(() => true)],
  ['by retention', async (journal) => (await prune(journal, { olderThan: Number.POSITIVE_INFINITY })).includes('t')],
]

/** Forks and removes at once; `order` says which call continues next, as long as there is a choice. */
async function meet(
  order: readonly boolean[],
  remove: Remove,
): Promise<{ readonly forked: Ending; readonly removed: Ending; readonly journal: Journal }> {
  const journal = memoryJournal()
  await agent({ name: 'teller', model: story(), tools: [look], journal }).run('go', { thread: 't' })
  const { gate, waiting } = gated(journal)
  const teller = agent({ name: 'teller', model: story(), tools: [look], journal: gate('fork') })
  let left = 2
  const ended = (ending: Ending): Ending => {
    left -= 1
    return ending
  }
  const forked = endingOf(teller.fork('t@6', { thread: 'f' })).then(ended)
  const removed = endingOf(remove(gate('remove'))).then(ended)
  for (let step = 0; left > 0; step += 1) {
    await nothingElse()
    const wanted = order[step % order.length] ? 'fork' : 'remove'
    const next = waiting.findIndex(({ who }) => who === wanted)
    waiting.splice(Math.max(0, next), 1)[0]?.go()
  }
  return { forked: await forked, removed: await removed, journal }
}

describe('a thread that is removed while it is forked', () => {
  // Every order of eight calls.
  const orders = Array.from({ length: 256 }, (_, bits) => Array.from({ length: 8 }, (_bit, place) => ((bits >> place) & 1) === 1))

  test.each(removals)('%s is there as long as its fork, and nothing else is left behind', async (_name, remove) => {
    const met = new Set<string>()
    for (const order of orders) {
      const { forked, removed, journal } = await meet(order, remove)
      met.add(`${forked} ${removed}`)
      const [fork, parent] = [await journal.head('f'), await journal.head('t')]
      expect([fork !== undefined, parent !== undefined]).toEqual([forked === 'done', removed !== 'done'])
      expect(parent?.holder).toBeUndefined()
      if (forked === 'done') expect((await eventsOf(journal, 'f')).length).toBeGreaterThan(6)
    }
    const refused = met.has('done kept') ? 'kept' : 'LOOM_THREAD_BUSY'
    expect([...met].sort()).toEqual(['LOOM_THREAD_NOT_FOUND done', `done ${refused}`].sort())
  })
})
