/** A program that works on a journal, for tests with several processes: `node postgres-process.ts <task> <url> <schema> <thread> <name> <count>`. */
import { once } from 'node:events'
import { postgres } from '@loom-agent/journals/postgres'
import { batchAt, facts } from './batches.ts'

const [task = '', url = '', schema = '', thread = '', name = '', count = '1'] = process.argv.slice(2)
const journal = postgres(url, { schema })

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  /** Appends facts, always at the head, until `count` of them were accepted. */
  async append() {
    let head = 0
    let tries = 0
    for (let number = 0; number < Number(count); tries += 1) {
      const result = await journal.append(thread, batchAt(head, facts(`${name} ${number}`, 'end')))
      if (result.kind === 'fenced') throw new Error('a contributor was fenced')
      head = result.seq
      if (result.kind === 'appended') number += 1
    }
    await journal.close()
    console.log(`tries ${tries}`)
  },
  /** Claims a thread again and again, under the epoch it sees, and prints the epochs that it got. */
  async claim() {
    for (let seen = 0; seen < Number(count); ) {
      const result = await journal.acquire(thread, { worker: name, incarnation: 'first', seen, force: true })
      if (result.kind === 'acquired') console.log(`epoch ${result.epoch}`)
      seen = result.epoch
    }
    await journal.close()
  },
  /** Acquires a thread and keeps it. */
  async hold() {
    const { kind, epoch } = await journal.acquire(thread, { worker: name, incarnation: 'first', seen: Number(count) - 1 })
    console.log(`${kind} ${epoch}`)
    await once(process.stdin, 'data')
    process.stdin.destroy()
    console.log((await journal.append(thread, batchAt(0, facts('late'), { epoch }))).kind)
    await journal.close()
  },
  /** Uses everything, closes, and prints which handles are left. */
  async leave() {
    for (const stream of [process.stdout, process.stderr]) stream.write('')
    const before = process.getActiveResourcesInfo().sort().join()
    const unwatch = journal.watch(thread, () => {})
    journal.watch('other', () => {})
    const { epoch } = await journal.acquire(thread, { worker: 'w', incarnation: 'first', seen: 0 })
    await Promise.all([journal.append(thread, batchAt(0, facts('a'), { epoch })), journal.append('other', batchAt(0, facts('b')))])
    await Promise.all([journal.read(thread), journal.threads(), journal.head(thread), journal.blob('none'), journal.inspect()])
    unwatch()
    journal.leaseValid(thread, { epoch, incarnation: 'first' })
    await journal.close()
    await new Promise((resolve) => setImmediate(resolve))
    const after = process.getActiveResourcesInfo().sort().join()
    console.log(after === before ? 'nothing is left' : `${before} became ${after}`)
  },
  /** Holds a thread, and does not close the journal. */
  async forget() {
    const { epoch } = await journal.acquire(thread, { worker: 'w', incarnation: 'first', seen: 0 })
    await journal.append(thread, batchAt(0, facts('a'), { epoch }))
    journal.watch(thread, () => {})()
    console.log(journal.leaseValid(thread, { epoch, incarnation: 'first' }) ? 'done' : 'the lease is not valid')
  },
  /** Waits for what another process appends. */
  async watch() {
    journal.watch(thread, (seq) => {
      // A hint of 0 says that the thread has not begun.
      if (seq === 0) return
      console.log(`notified ${seq}`)
      process.exit(0)
    })
    await journal.head(thread)
    console.log('ready')
  },
}

await tasks[task]?.()
