/** Damage that reading the threads does not show. */
import type { JournalFinding } from '../storage/journal-finding.ts'
import type { Database } from './database.ts'

/** The most findings of a kind that are reported. */
const findingLimit = 100

/** Finds batches and blobs without a thread, heads without their batches, forks without their parents, and a server that may lose what it acknowledges. */
export async function inspect({ ask, s, config: { name } }: Database): Promise<readonly JournalFinding[]> {
  const finding = (problem: string): JournalFinding => ({ problem: `${name}: ${problem}` })
  const end = `coalesce((select max(b.last) from ${s}.batches b where b.thread = t.id), t.fork_seq, 0)`
  const torn = await ask(`select t.name, t.seq, ${end} as last from ${s}.threads t where t.seq <> ${end} limit ${findingLimit}`)
  const moment = 'p.name = t.fork_thread and coalesce(p.incarnation, p.name) = t.fork_incarnation and p.seq >= t.fork_seq'
  const cut = await ask(`select t.name, t.fork_thread, t.fork_seq from ${s}.threads t
    where t.fork_thread is not null and not exists (select 1 from ${s}.threads p where ${moment}) limit ${findingLimit}`)
  const lone = `not exists (select 1 from ${s}.threads t where t.id = b.thread)`
  const orphans = await ask(`select distinct b.thread from ${s}.batches b where ${lone} limit ${findingLimit}`)
  const unused = await ask(
    `select hash from ${s}.blobs b where not exists (select 1 from ${s}.thread_blobs o where o.hash = b.hash) limit ${findingLimit}`,
  )
  const unsafe = await ask("select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name")
  return [
    ...torn.map(({ name: thread, seq, last }) => ({ thread: String(thread), problem: `the head is at ${seq}, and the last batch ends at ${last}` })),
    ...cut.map((row) => ({ thread: String(row['name']), problem: `it is a fork of ${row['fork_thread']}@${row['fork_seq']}, which is missing` })),
    ...orphans.map((row) => finding(`the batches of ${row['thread']} belong to no thread`)),
    ...unused.map((row) => finding(`the blob ${row['hash']} belongs to no thread`)),
    ...unsafe.map((row) => finding(`the server runs with ${row['name']} = off: a power cut may lose what was acknowledged`)),
  ]
}
