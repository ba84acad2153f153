import { describe, expect, test } from 'vitest'
import { placeOf } from '../route/place.ts'
import { choiceOf, columnAt, columnsOf, contextPath } from './choice.ts'

const request = (turn: number, seq: number, input?: number) => ({ turn, seq, entries: 1, rebase: 0, ...(input !== undefined && { input }) })

describe('columns', () => {
  test('are turns, each with its last request', () => {
    expect(columnsOf({ requests: [request(1, 4, 10), request(2, 9), request(2, 12, 30)] })).toEqual([
      { turn: 1, seq: 4, input: 10 },
      { turn: 2, seq: 12, input: 30 },
    ])
  })

  test('have the moments from their request to the next', () => {
    const columns = columnsOf({ requests: [request(1, 4), request(2, 12), request(3, 20)] })
    expect([1, 4, 11, 12, 19, 20, 99, undefined].map((seq) => columnAt(columns, seq))).toEqual([0, 0, 0, 1, 1, 2, 2, 2])
    expect(columnAt([], 3)).toBe(-1)
  })
})

test('a choice is read back from its address', () => {
  const choice = { side: 'what-if', item: 7, find: 'never below 5', table: true } as const
  const [path = '', search = ''] = contextPath({ thread: 'a/b', seq: 9 }, choice).split('?')
  expect(path).toBe('/threads/a%2Fb@9/context')
  expect(choiceOf(placeOf(path, `?${search}`).query)).toEqual(choice)
  expect(choiceOf(new URLSearchParams('item=x&side=y'))).toEqual({ side: 'reason', item: undefined, find: '', table: false })
})
