import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentIn, momentOf, placeOf, threadPath } from './place.ts'

const read = (path: string): unknown => momentOf(path.split('/')[2]?.split('?')[0] ?? '')

describe('an address of a moment', () => {
  test('has the thread and the seq', () => {
    expect(threadPath({ thread: 'user-1', seq: 42 })).toBe('/threads/user-1@42')
    expect(threadPath({ thread: 'a/b@7', seq: undefined }, { view: 'chat', sel: undefined })).toBe('/threads/a%2Fb%407?view=chat')
  })

  test('is read back as it was written, whatever the id holds', () => {
    const ids = fc.string({ minLength: 1, unit: 'grapheme' })
    fc.assert(
      fc.property(ids, fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined }), (thread, seq) => {
        expect(read(threadPath({ thread, seq }))).toEqual({ thread, seq })
      }),
    )
  })

  test('is read from what people write', () => {
    expect(momentIn('user-1@9')).toEqual({ thread: 'user-1', seq: 9 })
    expect(momentIn('a@b')).toEqual({ thread: 'a@b', seq: undefined })
  })
})

test('a place has its parts and its query, and a broken escape does not throw', () => {
  const place = placeOf('/threads/a%2Fb/%', '?view=chat')
  expect(place.parts).toEqual(['threads', 'a/b', '%'])
  expect(place.query.get('view')).toBe('chat')
})
