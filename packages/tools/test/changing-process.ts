/**
 * A process that runs an agent with file tools and kills itself before a given operation on the file system, or before or after a commit. Started by changes.test.ts with the folder
 * of the trial, the tool and the number of the operation; it prints how many operations there were when it comes to its end.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

const [folder = '', tool = '', number = '0'] = process.argv.slice(2)

/** Operations of the tools, and commits: SQLite itself does not go this way. */
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

count(fs, ['open', 'rename', 'unlink', 'lstat', 'mkdir'])
const probe = await fs.open(import.meta.filename)
count(Object.getPrototypeOf(probe) as object, ['writeFile', 'sync', 'chmod', 'readFile', 'read'])
await probe.close()
syncBuiltinESMExports()

const { changingAgent, openJournal } = await import('./changing-agent.ts')
const journal = openJournal(folder)
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
const { text } = await changingAgent(folder, tool, counted).run('Do it.', { thread: 't' })
isCounting = false
await journal.close()
console.log(JSON.stringify({ operations, text }))
