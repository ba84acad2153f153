/** A program that works on a journal, for tests with several processes: `node sqlite-process.ts <task> <path> <thread> <name> <count>`. */
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { sqlite } from '@loom-agent/journals/sqlite'
import { batchAt, facts } from './batches.ts'

const [task = '', path = '', thread = '', name = '', count = '1'] = process.argv.slice(2)

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  /** Appends facts, always at the head, until `count` of them were accepted. */
  async append() {
    const journal = sqlite(path)
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
    const journal = sqlite(path)
    for (let seen = 0; seen < Number(count); ) {
      const result = await journal.acquire(thread, { worker: name, incarnation: 'first', seen, force: true })
      if (result.kind === 'acquired') console.log(`epoch ${result.epoch}`)
      seen = result.epoch
    }
    await journal.close()
  },
  /** Acquires a thread and keeps it. */
  async hold() {
    const journal = sqlite(path)
    const { kind, epoch } = await journal.acquire(thread, { worker: name, incarnation: 'first', seen: Number(count) - 1 })
    console.log(`${kind} ${epoch}`)
    process.stdin.resume()
  },
  /** Removes a thread, begins a new one under its name as its driver, and keeps it until its input ends. */
  async replace() {
    const journal = sqlite(path)
    await journal.remove(thread)
    await journal.acquire(thread, { worker: name, incarnation: name, seen: 0 })
    for (let number = 0; number < Number(count); number += 1) {
      await journal.append(thread, batchAt(number, facts(`${name} ${number}`), { incarnation: name, epoch: 1 }))
    }
    console.log('replaced')
    process.stdin.resume()
  },
  /** Appends one fact for each line that it is sent. */
  async follow() {
    const journal = sqlite(path)
    console.log('ready')
    for (let number = 0; number < Number(count); number += 1) {
      await once(process.stdin, 'data')
      await journal.append(thread, batchAt(number, facts(number)))
    }
    await journal.close()
    process.stdin.pause()
  },
  /** Is stopped in the middle of a commit. */
  async freeze() {
    const db = new DatabaseSync(path)
    db.exec("begin immediate; update meta set value = value where key = 'mode'")
    console.log('locked')
    process.kill(process.pid, 'SIGSTOP')
    db.exec('commit')
    db.close()
    console.log('continued')
  },
  /** Appends facts without end, and prints which were acknowledged. */
  async acknowledge() {
    const journal = sqlite(path)
    for (let number = 0; ; number += 1) {
      await journal.append(thread, batchAt(number, facts(number)))
      process.stdout.write(`${number}\n`)
    }
  },
}

await tasks[task]?.()
