/**
 * A process that rewinds and kills itself before a given operation on the file system, or before or after a commit. Started by restoring.test.ts with the
 * folder of the trial and the number of the operation; it prints how many operations there were when it comes to its end.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const [folder = '', number = '0'] = process.argv.slice(2)

let operations = 0
let isCounting = false
function before(): void {
  if (!isCounting) return
  operations += 1
  if (operations === Number(number)) process.kill(process.pid, 'SIGKILL')
}

type Operation = (...given: unknown[]) => unknown
function count(target: object, names: readonly string[]): void {
  for (const name of names) {
    const real = Reflect.get(target, name) as Operation
    Reflect.set(target, name, function counted(this: unknown, ...given: unknown[]): unknown {
      before()
      return Reflect.apply(real, this, given)
    })
  }
}

count(fs, ['open', 'rename', 'unlink', 'mkdir', 'symlink'])
const probe = await fs.open(import.meta.filename)
count(Object.getPrototypeOf(probe) as object, ['writeFile', 'sync', 'chmod'])
await probe.close()
syncBuiltinESMExports()

const { openRestoring, restoringAgent } = await import('./restoring-agent.ts')
const journal = openRestoring(folder)
const { append } = journal
const counted: typeof journal = {
  ...journal,
  async append(...given) {
    before()
    const result = await append.apply(journal, given)
    before()
    return result
  },
}
isCounting = true
await restoringAgent(folder, counted).rewind('t@1', { thread: 'f' })
isCounting = false
await journal.close()
console.log(JSON.stringify({ operations }))
