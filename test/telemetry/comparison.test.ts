/** Comparing threads: alignments against a slow judge, and real threads against themselves and their forks. */
import { compareSteps, type Step, steps, viewOf } from '@loom-agent/telemetry'
import { expect, test } from 'vitest'
import { storedThreads, threadsOfLife } from './lives.ts'

/** A step of which only name and content count. */
const step = (name: string, content: string, seq: number): Step => ({
  ...{ seq, time: seq, run: 'r1', turn: 1, kind: 'tool', name },
  ...{ digest: content, label: content },
})
const stepsOf = (words: string): readonly Step[] => Array.from(words, (letter, index) => step(letter.toLowerCase(), letter, index + 1))

/** A longest common subsequence by the table, which takes time and room. */
function longestCommon(a: readonly Step[], b: readonly Step[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      (table[i] as number[])[j] = a[i - 1]?.name === b[j - 1]?.name ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1))
  return at(a.length, b.length)
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

test('every step is in the comparison once and in order, and no alignment has more steps side by side', () => {
  const next = random(7)
  const word = (): string => Array.from({ length: Math.floor(next() * 14) }, () => 'abcABC'[Math.floor(next() * 6)]).join('')
  let changed = 0
  for (let round = 0; round < 3000; round += 1) {
    const [a, b] = [stepsOf(word()), stepsOf(word())]
    const { common, rows, counts, isBest } = compareSteps(a, b)
    expect(isBest).toBe(true)
    expect(rows.flatMap((row) => row.a ?? [])).toEqual(a.slice(common))
    expect(rows.flatMap((row) => row.b ?? [])).toEqual(b.slice(common))
    for (const { op, a: one, b: other } of rows) {
      if (op === '=' || op === '~') expect([one?.name === other?.name, one?.digest === other?.digest]).toEqual([true, op === '='])
      else expect([one === undefined, other === undefined]).toEqual([op === '+', op === '-'])
    }
    expect(counts.same + counts.changed).toBe(longestCommon(a.slice(common), b.slice(common)))
    changed += counts.changed
  }
  expect(changed).toBeGreaterThan(100)
})

test('threads that differ in thousands of places are side by side, and the comparison says so', () => {
  const many = (name: string): readonly Step[] => Array.from({ length: 3000 }, (_, index) => step(`${name}${index}`, 'x', index))
  const { rows, counts, isBest } = compareSteps(many('a'), many('b'))
  expect([rows.length, counts.removed, counts.added, isBest]).toEqual([6000, 3000, 3000, false])
})

test('a thread is the same as itself, whenever it was made, and its steps are in the order of its events', async () => {
  let seen = 0
  for (const events of storedThreads()) {
    const own = viewOf(steps, events)
    const later = viewOf(
      steps,
      events.map((event) => ({ ...event, time: event.time + 1000, thread: 'other' })),
    )
    const { rows, common } = compareSteps(own, later)
    expect([rows.length, common]).toEqual([0, own.length])
    expect(own.map(({ seq }) => seq)).toEqual(own.map(({ seq }) => seq).toSorted((one, other) => one - other))
    seen += own.length
  }
  for (const events of await threadsOfLife(3)) seen += viewOf(steps, events).length
  expect(seen).toBeGreaterThan(50)
})
