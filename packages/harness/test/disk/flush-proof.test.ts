/** What is acknowledged is flushed: shown by what is left when everything that was not flushed is lost. */
import { describe, expect, test } from 'vitest'
import { flushProof } from '../../src/disk/flush-proof.ts'
import { afterPowerFailure, createFolder, type StoredFile } from '../../src/disk/power-failure.ts'
import { applyOperation, readTrace } from '../../src/disk/trace.ts'

describe('a power failure', { timeout: 120_000 }, () => {
  test('takes nothing that sqlite has acknowledged, whatever becomes of the writes that were not synced', async () => {
    const report = await flushProof({ rounds: 100, schedules: 150, seed: 1 })
    expect(report).toMatchObject({ broken: 0, problems: [], unsynced: 0, schedules: 150 })
    expect(report.syncs).toBeGreaterThanOrEqual(report.commits)
    expect(report.acknowledged).toBe(200)
    // The WAL was moved into the database meanwhile: otherwise the hardest part was not tried.
    expect(report.moved).toBeGreaterThan(50)
  })

  test.each(['relaxed', 'without-sync'] as const)('is reported to take what the build %s has acknowledged', async (build) => {
    const report = await flushProof({ build, rounds: 30, schedules: 30, seed: 1 })
    expect(report.broken).toBeGreaterThan(10)
    expect(report.syncs).toBeLessThan(report.commits)
  })
})

describe('a trace', () => {
  const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  const folder = '/f'
  const line = (text: string): string => `7 ${text}`

  test('is read in the order in which calls returned, with interrupted calls joined again', () => {
    const trace = [
      line(`openat(AT_FDCWD<${hex('/')}>, "${hex('/f/a')}", O_RDWR|O_CREAT, 0644) = 3<${hex('/f/a')}>`),
      line(`openat(AT_FDCWD<${hex('/')}>, "${hex('/f/no')}", O_RDWR|O_CREAT, 0644) = -1 EACCES (Permission denied)`),
      line(`pwrite64(3<${hex('/f/a')}>, "${hex('one)')}", 4, 8) = 4`),
      `7 fsync(3<${hex('/f/a')}> <unfinished ...>`,
      `8 write(1<${hex('pipe')}>, "${hex('hello')}", 5) = 5`,
      '7 <... fsync resumed>) = 0',
      line(`fsync(4<${hex('/f')}>) = 0`),
      line(`ftruncate(3<${hex('/f/a')}>, 2) = 0`),
      line(`unlink("${hex('/f/a')}") = 0`),
      line(`pwrite64(9<${hex('/elsewhere')}>, "${hex('no')}", 2, 0) = 2`),
    ]
    expect(readTrace(trace.join('\n'), folder)).toEqual([
      { kind: 'create', name: 'a' },
      { kind: 'write', name: 'a', at: 8, bytes: Buffer.from('one)') },
      { kind: 'printed', line: 'hello' },
      { kind: 'sync', name: 'a' },
      { kind: 'sync-folder' },
      { kind: 'truncate', name: 'a', size: 2 },
      { kind: 'remove', name: 'a' },
    ])
  })

  test('with bytes left out, or with unknown calls, is refused', () => {
    expect(() => readTrace(line(`pwrite64(3<${hex('/f/a')}>, "${hex('on')}"..., 4, 8) = 4`), folder)).toThrow('has left out bytes')
    expect(() => readTrace(line(`writev(3<${hex('/f/a')}>, [{iov_base="${hex('on')}", iov_len=2}], 1) = 2`), folder)).toThrow('is not supported')
  })
})

describe('a folder that loses power', () => {
  const write = (text: string, at = 0) => ({ kind: 'write', name: 'a', at, bytes: Buffer.from(text) }) as const
  const left = (how: 'forget' | 'tear' | 'scatter', random: () => number, ...operations: Parameters<typeof applyOperation>[1][]) => {
    const folder = createFolder<StoredFile>()
    for (const operation of operations) applyOperation(folder, operation)
    const { names, contents } = afterPowerFailure(folder, how, random)
    return Object.fromEntries([...names].map(([name, file]) => [name, contents.get(file)?.toString()]))
  }
  const made = [{ kind: 'create', name: 'a' }, { kind: 'sync-folder' }] as const

  test('keeps what was synced and loses the rest', () => {
    expect(left('forget', Math.random, ...made, write('kept'), { kind: 'sync', name: 'a' }, write('lost', 4))).toEqual({ a: 'kept' })
    expect(left('forget', Math.random, ...made, write('kept'), { kind: 'sync', name: 'a' }, { kind: 'truncate', name: 'a', size: 1 })).toEqual({
      a: 'kept',
    })
    expect(left('forget', Math.random, { kind: 'create', name: 'a' }, write('lost'), { kind: 'sync', name: 'a' })).toEqual({})
    expect(left('forget', Math.random, ...made, { kind: 'remove', name: 'a' })).toEqual({ a: '' })
  })

  test('keeps a part of a torn write, and any sectors of scattered ones', () => {
    expect(left('tear', () => 0.5, ...made, write('abcd'), write('efgh', 4))).toEqual({ a: 'abcdef' })
    const sectors = 'x'.repeat(512) + 'y'.repeat(512)
    const coins = [0.9, 0.1, 0]
    const scattered = left('scatter', () => coins.shift() ?? 0, ...made, write(sectors))
    expect(scattered).toEqual({ a: '\0'.repeat(512) + 'y'.repeat(512) })
  })

  test('has every sector as it was at some moment: after a write that is lost, a later one to the same sector is lost too', () => {
    const coins = [0, 0.9, 0.1, 0]
    expect(left('scatter', () => coins.shift() ?? 0, ...made, write('ab'), write('cd', 2), write('ef', 4))).toEqual({ a: 'ab' })
  })
})
