import { LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

const failed = (errcode: number): Error => Object.assign(new Error('it failed'), { errcode })
const failureOf = (errcode: number): LoomError => sqliteFailure(failed(errcode), '/there/loom.db') as LoomError

describe('errors of SQLite', () => {
  test.each([
    [5, 'later', 'is locked'],
    [517, 'later', 'is locked'],
    [6, 'later', 'is locked'],
    [13, 'later', 'the disk is full'],
    [10, 'later', 'the disk reports an error'],
    [778, 'later', 'the disk reports an error'],
    [1, 'later', 'does not work: it failed'],
    [8, 'never', 'cannot be written'],
    [14, 'never', 'there is no folder /there'],
    [26, 'never', 'a file of another kind'],
    [11, 'never', 'is damaged'],
    [18, 'never', 'cannot hold a value that big'],
  ])('%i: %s, %s', (code, retry, message) => {
    const error = failureOf(code)
    expect(error).toBeInstanceOf(LoomError)
    expect([error.retry, error.message]).toEqual([retry, expect.stringContaining(`The journal /there/loom.db`) as string])
    expect(error.message).toContain(message)
    expect((error.cause as Error).message).toBe('it failed')
  })

  test('every other error stays what it is', () => {
    const other = new TypeError('not of SQLite')
    expect(sqliteFailure(other, 'x')).toBe(other)
    const own = failureOf(13)
    expect(sqliteFailure(own, 'x')).toBe(own)
    expect(sqliteFailure('text', 'x')).toBe('text')
  })

  test('only errors that mean that another connection has the database are waited for', () => {
    expect([5, 517, 6, 10, 13, 1].map((code) => isBusy(failed(code)))).toEqual([true, true, true, false, false, false])
    expect(isBusy(new Error('not of SQLite'))).toBe(false)
  })
})
