import { expect, test } from 'vitest'
import { createWatchers } from './watchers.ts'

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('those who watch a thread are told, each as often as it watches, and nobody else', async () => {
  const watchers = createWatchers()
  const told: string[] = []
  const hint = (seq: number): void => void told.push(`a ${seq}`)
  watchers.add('a', hint)
  watchers.add('a', hint)
  watchers.add('b', (seq) => told.push(`b ${seq}`))
  watchers.tell('a', 1)
  expect(told).toEqual([])
  await soon()
  expect(told).toEqual(['a 1', 'a 1'])
  expect(watchers.watched()).toEqual(['a', 'b'])
  expect([watchers.isWatched('a'), watchers.isWatched('c')]).toEqual([true, false])
})

test('who has stopped watching is told nothing more, not even what was said just before', async () => {
  const watchers = createWatchers()
  const told: number[] = []
  const stop = watchers.add('a', (seq) => told.push(seq))
  const stay = watchers.add('a', (seq) => told.push(seq * 10))
  watchers.tell('a', 1)
  stop()
  stop()
  await soon()
  expect(told).toEqual([10])
  stay()
  expect(watchers.watched()).toEqual([])
})

test('the first who comes and the last who goes are announced, once each', () => {
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

test('after clearing nobody is told, and old watchers can still be taken away', async () => {
  const watchers = createWatchers()
  const told: number[] = []
  const stop = watchers.add('a', (seq) => told.push(seq))
  watchers.tell('a', 1)
  watchers.clear()
  stop()
  watchers.tell('a', 2)
  await soon()
  expect(told).toEqual([])
})
