import { expect, test } from 'vitest'
import { tableLines } from './table.ts'
import { widthOf } from './width.ts'

const columns = [
  { title: 'name', text: ({ name }: { name: string }) => name, isFlexible: true },
  { title: 'count', text: ({ count }: { count: number }) => String(count), align: 'end' },
] as const

test('columns stand below each other, also with signs that take two places', () => {
  const lines = tableLines(
    [
      { name: '日本語', count: 1 },
      { name: 'ab', count: 22 },
      { name: '👍🏽', count: 333 },
    ],
    columns,
    { columns: 40, hasColour: false },
  )
  expect(lines).toEqual(['name    count', '日本語      1', 'ab         22', '👍🏽        333'])
  expect(new Set(lines.map(widthOf)).size).toBe(1)
})

test('the column that gives way is cut where a line would be too long', () => {
  const lines = tableLines([{ name: 'a'.repeat(100), count: 1 }], columns, { columns: 40, hasColour: false })
  expect(lines.map((line) => line.length)).toEqual([40, 40])
  expect(lines[1]).toMatch(/^a+…\s+1$/)
})

test('a text of several lines is one row, and cannot act on the terminal', () => {
  expect(tableLines([{ name: 'a\nb\u001b[2J', count: 1 }], columns, { columns: 40, hasColour: false })[1]).toBe('a ⏎ b<U+001B>[2J      1')
})
