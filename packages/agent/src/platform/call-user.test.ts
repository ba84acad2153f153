import { describe, expect, test } from 'vitest'
import { callUser, callUserNow, enterUser, handled, ignore, notify, readable } from './call-user.ts'

const thenable = (then: unknown): PromiseLike<unknown> => Object.fromEntries([['then', then]]) as never
const raise = (error: unknown): never => {
  throw error
}
const boom = new Error('boom')

describe('what code of a user returns', () => {
  test('is the value itself where it is there, and the promise itself where it is one of the platform', () => {
    const promise = Promise.resolve(1)
    expect([callUser(() => 5), enterUser(() => promise) === promise]).toEqual([5, true])
  })

  test('is a promise of the platform where it is a thenable, however deep', async () => {
    const deep = thenable((resolve: (value: unknown) => void) => resolve(thenable((inner: (value: unknown) => void) => inner(5))))
    const adopted = callUser(() => deep)
    expect([adopted instanceof Promise, await adopted]).toEqual([true, 5])
  })

  test.each([
    ['a thenable that throws', () => thenable(() => raise(boom))],
    ['a thenable whose then is asynchronous and fails', () => thenable(async () => raise(boom))],
    [
      'a promise that pretends to succeed',
      () =>
        Object.assign(
          Promise.reject(boom),
          thenable((resolve: (value: unknown) => void) => resolve(5)),
        ),
    ],
  ])('fails as it does: %s', async (_, returned) => {
    await expect(callUser(returned)).rejects.toBe(boom)
  })

  test('settles once, as it did first', async () => {
    const both = thenable((resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
      resolve(5)
      reject(boom)
    })
    expect(await callUser(() => both)).toBe(5)
  })

  test('is refused where it is promised and needed at once', () => {
    expect(callUserNow(() => 5)).toBe(5)
    expect(() => callUserNow(() => Promise.reject(boom))).toThrow('it returned a promise, and its value is needed at once')
  })

  test('is an error where it resolves with itself for ever', async () => {
    const own: object = {}
    Object.assign(
      own,
      thenable((resolve: (value: unknown) => void) => resolve(own)),
    )
    await expect(callUser(() => own)).rejects.toThrow('it resolved with a thenable 100 times')
  })
})

describe('what code of a user throws', () => {
  const unreadable = Object.defineProperty({}, 'message', { get: () => raise(boom) })

  test('is passed on as it is, or replaced where it cannot be read', async () => {
    expect(() => callUser(() => raise(boom))).toThrow(boom)
    expect(() => callUser(() => raise(unreadable))).toThrow('an error that cannot be read')
    await expect(callUser(() => Promise.reject(unreadable))).rejects.toThrow('an error that cannot be read')
    expect([readable(undefined), readable('text'), readable(boom)]).toEqual([undefined, 'text', boom])
  })

  test('reaches nobody where it only listens', () => {
    expect(notify(() => raise(boom), 1)).toBeUndefined()
    expect(notify(undefined, 1)).toBeUndefined()
    expect(ignore(Object.defineProperty({}, 'then', { get: () => raise(boom) }))).toBeUndefined()
  })

  test('stays with a promise that need not be awaited', async () => {
    await expect(handled(Promise.reject(boom))).rejects.toBe(boom)
  })
})
