/** A simulation is the same in every process, and one that spins is reported instead of hanging. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { simulate } from '../../src/simulate/simulate.ts'
import { spunSeed } from '../../src/simulate/spin.ts'

const run = promisify(execFile)

/** Runs a program on a module of the simulator in a process of its own. */
async function inProcess(module: string, program: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const { href } = new URL(`../../src/simulate/${module}.ts`, import.meta.url)
  const source = `const simulator = await import(${JSON.stringify(href)})\n${program}`
  return run(process.execPath, ['--conditions=loom-source', '--input-type=module', '-e', source]).catch((error) => error)
}

test('a life that waits for code to be loaded is the same as a later one', { timeout: 60_000 }, async () => {
  const seed = 71_030
  const { digest } = await simulate({ seed })
  expect((await simulate({ seed })).digest).toBe(digest)
  const { stdout } = await inProcess('simulate', `console.log((await simulator.simulate({ seed: ${seed} })).digest)\nprocess.exit()`)
  expect(Number(stdout)).toBe(digest)
})

test('promises that lead to each other without end are reported with the seed', { timeout: 60_000 }, async () => {
  const { stderr } = await inProcess('spin', 'simulator.watchForSpin(7)\nfor (;;) await null')
  expect(spunSeed(stderr)).toBe(7)
  expect(spunSeed('The simulation of seed 7 breaks a law')).toBeUndefined()
})
