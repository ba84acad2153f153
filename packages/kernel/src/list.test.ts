import { expect, test } from 'vitest'
import { append, at, emptyList, items, type List, replaceAt } from './list.ts'

const listOf = (length: number): List<number> => Array.from({ length }, (_, n) => n).reduce((list, n) => append(list, n), emptyList<number>())

test('a list holds what was appended, in order, at every size around its widths', () => {
  for (const length of [0, 1, 31, 32, 33, 1023, 1024, 1025, 1056, 1057, 33_000]) {
    const list = listOf(length)
    expect(list.length).toBe(length)
    expect([...items(list)]).toEqual(Array.from({ length }, (_, n) => n))
    for (const index of [0, 1, length >> 1, length - 1]) expect(at(list, index)).toBe(index >= 0 && index < length ? index : undefined)
  }
})

test('earlier lists stay as they were (LIST-1)', () => {
  const before = listOf(1000)
  const after = append(before, -1)
  const replaced = replaceAt(before, 500, -2)
  expect([...items(before)]).toEqual(Array.from({ length: 1000 }, (_, n) => n))
  expect(at(after, 1000)).toBe(-1)
  expect(at(replaced, 500)).toBe(-2)
  expect(at(before, 500)).toBe(500)
})

test('appending shares all but one path', () => {
  const before = listOf(10_000)
  const after = append(before, 1)
  const roots = [before.root, after.root] as const
  expect(roots[0].filter((node, index) => node !== roots[1][index]).length).toBeLessThanOrEqual(1)
})

test('items begin where asked, and an index outside changes nothing', () => {
  const list = listOf(100)
  expect([...items(list, 97)]).toEqual([97, 98, 99])
  expect([...items(list, 200)]).toEqual([])
  expect([...items(list, -5)]).toHaveLength(100)
  expect(replaceAt(list, 100, 1)).toBe(list)
  expect(replaceAt(list, -1, 1)).toBe(list)
  expect(at(list, -1)).toBeUndefined()
})
