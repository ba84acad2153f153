/** What the painter sends is judged by a terminal: after each painting it shows the block, and above it what is done. */
import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nothingPainted, type Painted, type Painting, paint, type Size } from './painter.ts'

const size: Size = { columns: 30, rows: 12 }

/** A terminal that is told what to show. */
class Shown {
  readonly terminal = new Terminal({ cols: size.columns, rows: size.rows, allowProposedApi: true, scrollback: 10_000 })
  before: Painted = nothingPainted(size)
  readonly done: string[] = []

  async show(lines: readonly string[], above: readonly string[], [row, column]: readonly [number, number]): Promise<string> {
    const next: Painting = { lines, widths: lines.map(({ length }) => length), row, column, size: this.before.size, above }
    const bytes = paint(this.before, next)
    await new Promise<void>((settle) => this.terminal.write(bytes, settle))
    this.before = next
    this.done.push(...above)
    return bytes
  }

  rows(): readonly string[] {
    const { buffer } = this.terminal
    return Array.from({ length: buffer.active.length }, (_, at) => buffer.active.getLine(at)?.translateToString(true).trimEnd() ?? '')
  }

  cursor(): readonly [number, number] {
    const { baseY, cursorY, cursorX } = this.terminal.buffer.active
    return [baseY + cursorY, cursorX]
  }
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'x'), maxLength: 29 })
const block = fc.array(text, { minLength: 1, maxLength: 8 })
const steps = fc.array(fc.record({ lines: block, above: fc.array(text, { maxLength: 3 }), at: fc.nat(7), column: fc.nat(20) }), { maxLength: 25 })

test('after any paintings the terminal shows what is done, then the block, and its cursor is where it was put', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const shown = new Shown()
      for (const { lines, above, at, column } of given) {
        const row = at % lines.length
        await shown.show(lines, above, [row, column])
        const expected = [...shown.done, ...lines].map((one) => one.trimEnd())
        expect(shown.rows().slice(0, expected.length)).toEqual(expected)
        expect(shown.rows().slice(expected.length).join('')).toBe('')
        expect(shown.cursor()).toEqual([shown.done.length + row, column])
      }
    }),
    { numRuns: 150 },
  )
})

test('nothing is sent where nothing differs, and where one line differs only that line is', async () => {
  const shown = new Shown()
  const lines = ['one', 'two', 'three']
  await shown.show(lines, [], [1, 0])
  expect(await shown.show(lines, [], [1, 0])).toBe('')
  const bytes = await shown.show(['one', 'TWO', 'three'], [], [1, 3])
  expect(bytes).toContain('TWO')
  expect(bytes).not.toMatch(/one|three/)
  expect(bytes.length).toBeLessThan(60)
})

test('a line that a terminal takes to be wider than it was thought to be takes one row all the same (PAINT-2)', async () => {
  const shown = new Shown()
  const lines = ['日本語'.repeat(20), 'below']
  await shown.show(lines, [], [1, 5])
  await shown.show([lines[0] ?? '', 'changed'], ['done'], [1, 5])
  expect(shown.rows()[0]).toBe('done')
  expect(shown.rows()[2]).toBe('changed')
})

test('a terminal that has become narrower shows the block once, and everything above it', async () => {
  const shown = new Shown()
  await shown.show(['a'.repeat(28), 'b'.repeat(28), 'input'], ['done'], [2, 5])
  shown.terminal.resize(10, 12)
  const narrow = { columns: 10, rows: 12 }
  const lines = ['aaa', 'bbb', 'input']
  const next: Painting = { lines, widths: [3, 3, 5], row: 2, column: 5, size: narrow, above: [] }
  await new Promise<void>((settle) => shown.terminal.write(paint(shown.before, next), settle))
  expect(shown.rows().filter((row) => row !== '')).toEqual(['done', ...lines])
})
