import { expect, test } from 'vitest'
import { createWatchers } from './watchers.ts'

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the watchers of a thread are notified, each as often as it watches, and no others', async () => {
  const watchers = createWatchers()
  const notified: string[] = []
  const hint = (seq: number): void => void notified.push(`a ${seq}`)
  watchers.add('a', hint)
  watchers.add('a', hint)
  watchers.add('b', (seq) => notified.push(`b ${seq}`))
  watchers.notify('a', 1)
  expect(notified).toEqual([])
  await soon()
  expect(notified).toEqual(['a 1', 'a 1'])
  expect(watchers.watched()).toEqual(['a', 'b'])
  expect([watchers.isWatched('a'), watchers.isWatched('c')]).toEqual([true, false])
})

test('a watcher that has stopped is not notified any more, not even of what came just before', async () => {
  const watchers = createWatchers()
  const notified: number[] = []
  const stop = watchers.add('a', (seq) => notified.push(seq))
  const stay = watchers.add('a', (seq) => notified.push(seq * 10))
  watchers.notify('a', 1)
  stop()
  stop()
  await soon()
  expect(notified).toEqual([10])
  stay()
  expect(watchers.watched()).toEqual([])
})

test('the first watcher and the end of the last one are announced, once each', () => {
  const changes: boolean[] = []
  const watchers = createWatchers((any) => changes.push(any))
  const stops = ['a', 'a', 'b'].map((thread) => watchers.add(thread, () => {}))
  expect(changes).toEqual([true])
  for (const stop of stops) stop()
  expect(changes).toEqual([true, false])
  watchers.add('c', () => {})
  watchers.clear()
  watchers.clear()
  expect(changes).toEqual([true, false, true, false])
})

test('after clearing no watcher is notified, and old watchers can still be removed', async () => {
  const watchers = createWatchers()
  const notified: number[] = []
  const stop = watchers.add('a', (seq) => notified.push(seq))
  watchers.notify('a', 1)
  watchers.clear()
  stop()
  watchers.notify('a', 2)
  await soon()
  expect(notified).toEqual([])
})
