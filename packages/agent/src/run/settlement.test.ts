import { describe, expect, test } from 'vitest'
import type { Result } from '../types/result.ts'
import { createSettlement } from './settlement.ts'

const result = (status: 'waiting' | 'done'): Result<unknown> => ({ status }) as Result<unknown>

describe('a settlement', () => {
  test('is given once, under its claim', async () => {
    const settlement = createSettlement()
    const claim = settlement.take()
    expect(settlement.take()).toBeUndefined()
    expect(settlement.give(claim ?? {}, result('done'))).toBe(true)
    expect(settlement.give(claim ?? {}, result('waiting'))).toBe(false)
    expect((await settlement.result()).status).toBe('done')
    expect(settlement.reopen()).toBe(false)
  })

  test('that was taken back while it was only claimed still reaches the callers that waited for it', async () => {
    const settlement = createSettlement()
    const waited = settlement.result()
    const stale = settlement.take() ?? {}
    expect(settlement.reopen()).toBe(true)
    expect(settlement.give(stale, result('waiting'))).toBe(false)
    settlement.give(settlement.take() ?? {}, result('done'))
    expect((await waited).status).toBe('done')
  })

  test('of a run that waited is taken back by an answer, and given again', async () => {
    const settlement = createSettlement()
    settlement.give(settlement.take() ?? {}, result('waiting'))
    const before = settlement.result()
    expect(settlement.reopen()).toBe(true)
    settlement.give(settlement.take() ?? {}, result('done'))
    expect([(await before).status, (await settlement.result()).status]).toEqual(['waiting', 'done'])
  })
})
