/**
 * The program that is traced: it appends to a journal and prints when each batch was acknowledged.
 *
 * `writer-process.ts <folder> <rounds> <build>`; the other builds are planted faults.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type SqliteJournal, sqlite } from '@loom-agent/journals/sqlite'
import { type Build, textAt } from './written.ts'

const [, , folder = '', rounds = '0', build = 'strict'] = process.argv

/** A build that has its flushes removed: the same journal, and a database that does not sync. */
function withoutSync(): void {
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql.replaceAll(/synchronous = (full|normal)/g, 'synchronous = off'))
  }
}

if ((build as Build) === 'without-sync') withoutSync()
const path = join(folder, 'loom.db')
const open = (): SqliteJournal => sqlite(path, { mode: (build as Build) === 'relaxed' ? 'relaxed' : 'strict' })
const seqs = new Map<string, number>()
let journal = open()
let commits = 0

async function append(thread: string): Promise<void> {
  const seq = (seqs.get(thread) ?? 0) + 1
  seqs.set(thread, seq)
  // A model can be called again: a relaxed journal does not flush its reply.
  const data = { parts: [{ type: 'text', text: textAt(thread, seq) }], usage: { input: 1, output: 1 }, finish: 'stop' } as const
  const batch = {
    id: `b${seq}`,
    incarnation: 'life',
    expected: seq - 1,
    time: seq,
    events: [{ type: 'model.replied', data }],
    summary: { status: 'running' },
  } as const
  const result = await journal.append(thread, batch)
  if (result.kind !== 'appended') throw new Error(`The batch ${thread}@${seq} was not appended: ${result.kind}`)
  writeSync(1, `acknowledged ${thread} ${seq}\n`)
}

/** Moves the WAL into the database from another connection, as the journal does when the WAL has grown long. */
function moveWal(): void {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = full; pragma wal_checkpoint(passive)')
  db.close()
}

async function reopen(): Promise<void> {
  commits += journal.stats().commits
  await journal.close()
  journal = open()
}

for (let round = 1; round <= Number(rounds); round += 1) {
  // Groups of one, two and three batches.
  await Promise.all(['a', 'b', 'c'].slice(0, 1 + (round % 3)).map(append))
  if (round % 20 === 0) {
    const { epoch } = await journal.acquire('a', { worker: 'writer', incarnation: 'life', seen: (await journal.head('a'))?.epoch ?? 0 })
    await journal.release('a', { epoch, incarnation: 'life' })
  }
  if (round % 15 === 0) moveWal()
  if (round % 50 === 0) await reopen()
}
writeSync(1, `commits ${commits + journal.stats().commits}\n`)
// The end of the process is not the end of the journal: nothing is closed, as nothing would be when power fails.
process.exit(0)
