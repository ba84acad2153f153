/** A head that was read before a thread was there, and arrives when it is: what it says is not that the thread was removed. */
import { agent, memoryJournal } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, it } from 'vitest'
import { systemClock } from '../src/platform/ports.ts'
import { viewThread } from '../src/stream/thread-view.ts'
import { createThreadCache } from '../src/thread/thread-cache.ts'

it('a view that has begun goes on when its first look at the head arrives, which has found no thread', async () => {
  const inner = memoryJournal()
  const [looked, arrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let looks = 0
  const journal = {
    ...inner,
    async head(thread: string) {
      looks += 1
      const head = await inner.head(thread)
      looked.resolve()
      if (looks === 1) await arrives.promise
      return head
    },
  }
  const source = { journal, ports: { clock: systemClock }, threads: createThreadCache(inner) }
  const { viewer, begin, end } = viewThread(source, 'c', { from: 1 })
  await looked.promise
  await agent({ journal: inner, model: scriptedModel('ok') }).run('go', { thread: 'c' })
  const head = await inner.head('c')
  begin(head?.incarnation ?? '')
  arrives.resolve()
  end()
  const types: string[] = []
  for await (const event of viewer) types.push(event.type)
  expect(types.at(0)).toBe('thread.started')
  expect(types.at(-1)).toBe('run.finished')
})
