/** Power fails at any operation of the disk: what was acknowledged is there, and nothing else is returned. */
import { expect, test } from 'vitest'
import { type Outcome, runSchedule } from './file-schedules.ts'

const schedules = Number(process.env['LOOM_DISK_SCHEDULES'] ?? 400)
/** It ends what hangs: the schedules are work for the processor, and it may have other work. */
const timeout = 240_000
/** The first schedule. Others are tried with another seed; a problem names its own, and with that as the first one it is there again. */
const firstSeed = Number(process.env['LOOM_DISK_SEED'] ?? 1)

async function runAll(count: number, options: Omit<Parameters<typeof runSchedule>[0], 'seed'>, first = firstSeed): Promise<Outcome> {
  const total: Outcome = { problems: [], appends: 0, processes: 0, torn: 0, refused: 0 }
  for (let seed = first; seed < first + count; seed += 1) {
    const { problems, appends, processes, torn, refused } = await runSchedule({ seed, ...options })
    total.problems.push(...problems.map((problem) => `LOOM_DISK_SEED=${seed}: ${problem}`))
    total.appends += appends
    total.processes += processes
    total.torn += torn
    total.refused += refused
  }
  return total
}

test('in strict mode nothing that was acknowledged is lost at any power failure, and epochs never decrease', { timeout }, async () => {
  const { problems, appends, torn } = await runAll(schedules * 1.5, { mode: 'strict' })
  expect(problems).toEqual([])
  // A schedule in which nothing is acknowledged and nothing is torn would prove nothing.
  expect(appends).toBeGreaterThan(schedules)
  expect(torn).toBeGreaterThan(schedules / 20)
})

test('in relaxed mode what may not be lost is not lost, and only the end can be lost', { timeout }, async () => {
  const { problems, appends } = await runAll(schedules, { mode: 'relaxed' })
  expect(problems).toEqual([])
  expect(appends).toBeGreaterThan(schedules)
})

test('the same holds when operations fail before the power does, in either mode', { timeout }, async () => {
  for (const mode of ['strict', 'relaxed'] as const) {
    const { problems, appends, refused } = await runAll(schedules / 2, { mode, failing: 0.04 })
    expect(problems, mode).toEqual([])
    expect(appends).toBeGreaterThan(schedules / 2)
    expect(refused).toBeGreaterThan(schedules / 10)
  }
})

test('a disk that reports a sync that it has not made is detected', async () => {
  const { problems } = await runAll(100, { mode: 'strict', lies: ['sync', 'syncFolder'] }, 1)
  expect(problems.filter((problem) => problem.includes('were acknowledged')).length).toBeGreaterThan(10)
  expect(problems.filter((problem) => problem.includes('epoch')).length).toBeGreaterThan(0)
})

test('a disk that does so for files only, or for folders only, is detected too', async () => {
  for (const lie of ['sync', 'syncFolder'] as const) {
    const { problems } = await runAll(100, { mode: 'relaxed', lies: [lie] }, 1)
    expect(problems.length, lie).toBeGreaterThan(10)
  }
})
