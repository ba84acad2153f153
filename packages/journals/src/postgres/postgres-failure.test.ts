import { LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { isPassing, postgresFailure, troubleOf, unknownOutcome } from './postgres-failure.ts'

const failed = (code: string, more: object = {}): Error => Object.assign(new Error('it failed'), { code, ...more })
const failureOf = (code: string): LoomError => postgresFailure(failed(code), 'postgres://there/db') as LoomError

describe('errors of PostgreSQL', () => {
  test.each([
    ['ECONNREFUSED', 'later', 'cannot be reached'],
    ['ENOTFOUND', 'later', 'cannot be reached'],
    ['CONNECT_TIMEOUT', 'later', 'cannot be reached'],
    ['CONNECTION_CLOSED', 'later', 'has lost the connection'],
    ['57P01', 'later', 'has lost the connection'],
    ['57P03', 'later', 'is being started or stopped'],
    ['53300', 'later', 'has no connection left'],
    ['53100', 'later', 'the disk is full'],
    ['53200', 'later', 'has run out of something'],
    ['58030', 'later', 'an error of its disk'],
    ['40001', 'later', 'written by others without pause'],
    ['55P03', 'later', 'written by others without pause'],
    ['57014', 'later', 'statement_timeout'],
    ['25006', 'later', 'can only be read'],
    ['0A000', 'later', 'does not work'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'later', 'does not work'],
    ['08P01', 'never', 'Behind a pooler, add ?options=&prepare=false'],
    ['28P01', 'never', 'does not let this user in'],
    ['28000', 'never', 'does not let this user in'],
    ['3D000', 'never', 'createdb'],
    ['42501', 'never', 'Grant it'],
    ['42P01', 'never', 'no tables of a journal'],
    ['3F000', 'never', 'has lost its schema'],
    ['22021', 'never', 'cannot hold a value'],
    ['54000', 'never', 'cannot hold a value'],
    ['XX001', 'never', 'is damaged'],
  ])('%s: %s, %s', (code, retry, message) => {
    const error = failureOf(code)
    expect(error).toBeInstanceOf(LoomError)
    expect([error.retry, error.context['postgres']]).toEqual([retry, code])
    expect(error.message).toMatch(/^The journal postgres:\/\/there\/db .*\(it failed\)$/)
    expect(error.message).toContain(message)
    expect((error.cause as Error).message).toBe('it failed')
  })

  test('every other error stays what it is', () => {
    const other = new TypeError('not of PostgreSQL')
    expect([postgresFailure(other, 'x'), troubleOf(other)]).toEqual([other, 'other'])
    const own = failureOf('53100')
    expect([postgresFailure(own, 'x'), troubleOf(own)]).toEqual([own, 'other'])
    expect([postgresFailure('text', 'x'), troubleOf('text')]).toEqual(['text', 'other'])
  })

  test('those that pass are waited for', () => {
    const passing = ['ECONNREFUSED', 'ECONNRESET', '57P03', '40P01', '25006'].map((code) => isPassing(troubleOf(failed(code))))
    expect(passing).toEqual([true, true, true, true, true])
    const lasting = ['53100', '28P01', '22021', '57014', '23505', '42P01'].map((code) => isPassing(troubleOf(failed(code))))
    expect(lasting).toEqual([false, false, false, false, false, false])
  })

  test('a writer that does not know how its batch ended learns so, and what to do', () => {
    const error = unknownOutcome(failed('ECONNRESET'), 'postgres://there/db', { thread: 'thread', id: '1.2' })
    expect([error.retry, error.context]).toEqual([
      'later',
      { failure: 'unavailable', journal: 'postgres://there/db', thread: 'thread', batch: '1.2', outcome: 'unknown' },
    ])
  })
})
