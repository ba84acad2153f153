/** Operations on files and commits that are counted, and a process that kills itself before the one it was told. */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { Journal } from '@loom-agent/kernel'

/** Operations that are counted from `begin` to `end`. */
export interface CountedOperations {
  begin(): void
  /** How many there were. */
  end(): number
  /** The journal with its commits counted: the moment before each, and the moment after it. */
  counted<J extends Journal>(journal: J): J
}

/** Which operations are counted: functions of `node:fs/promises`, and methods of the files that it opens. */
export interface WhichOperations {
  readonly functions: readonly string[]
  readonly methods: readonly string[]
}

type Operation = (...given: unknown[]) => unknown

function wrap(target: object, names: readonly string[], before: () => void): void {
  for (const name of names) {
    const real = Reflect.get(target, name) as Operation
    Reflect.set(target, name, function counted(this: unknown, ...given: unknown[]): unknown {
      before()
      return Reflect.apply(real, this, given)
    })
  }
}

/**
 * Kills this process before the operation of a number; with 0, none. It must be called before the code that is tested is loaded, because that code
 * takes the functions when it is. What SQLite does with its files is not counted: it does not go this way.
 */
export async function killBeforeOperation(number: number, { functions, methods }: WhichOperations): Promise<CountedOperations> {
  let operations = 0
  let isCounting = false
  const before = (): void => {
    if (!isCounting) return
    operations += 1
    if (operations === number) process.kill(process.pid, 'SIGKILL')
  }
  wrap(fs, functions, before)
  const probe = await fs.open(import.meta.filename)
  wrap(Object.getPrototypeOf(probe) as object, methods, before)
  await probe.close()
  syncBuiltinESMExports()
  return {
    begin: () => {
      isCounting = true
    },
    end: () => {
      isCounting = false
      return operations
    },
    counted: (journal) => ({
      ...journal,
      async append(...given) {
        before()
        const result = await journal.append(...given)
        before()
        return result
      },
    }),
  }
}
