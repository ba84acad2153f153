/** Which sandbox commands run in, by the option `sandbox`. */
import { type Expected, expected } from '@loom-agent/agent/kit'
import { noSandbox, type Sandbox } from './sandbox.ts'

/** Where commands run: in a sandbox of the operating system where there is one, always in it, never in one, or in another one. */
export type SandboxOption = 'auto' | 'os' | 'none' | Sandbox

/** A sandbox that commands run in. */
export interface Chosen {
  /** The sandbox to use now; undefined where commands run outside of one. One that cannot be used is an error, unless the choice was left open. */
  use(): Promise<Sandbox | undefined>
}

/** What the option must be. */
export const sandboxOption: Expected = {
  words: 'auto, os, none, or a sandbox such as osSandbox({ folder })',
  fits: (value) => ['auto', 'os', 'none'].includes(value as string) || isSandbox(value),
}

function isSandbox(value: unknown): value is Sandbox {
  if (!expected.object.fits(value)) return false
  const { name, problem, wrap } = value as Partial<Record<keyof Sandbox, unknown>>
  return typeof name === 'string' && typeof problem === 'function' && typeof wrap === 'function'
}

/** The sandbox that the option names; `make` makes that of the operating system. */
export function chooseSandbox(option: SandboxOption, make: () => Sandbox): Chosen {
  if (option === 'none') return { use: async () => undefined }
  const sandbox = typeof option === 'string' ? make() : option
  return {
    async use() {
      const problem = await sandbox.problem()
      if (problem === undefined) return sandbox
      if (option === 'auto') return undefined
      throw noSandbox(problem)
    },
  }
}
