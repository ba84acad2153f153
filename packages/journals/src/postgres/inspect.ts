/** What reading the threads does not show. */
import type { Finding } from '../verify.ts'
import type { Database } from './database.ts'

/** Findings of a kind that are told at most: a database that is damaged throughout needs no longer list. */
const findingLimit = 100

/** Looks for what belongs to nothing, for heads without their batches, and for a server that does not keep what it acknowledges. */
export async function inspect({ ask, s, config: { name } }: Database): Promise<readonly Finding[]> {
  const told = (problem: string): Finding => ({ problem: `${name}: ${problem}` })
  const end = `coalesce((select max(b.last) from ${s}.batches b where b.thread = t.id), 0)`
  const torn = await ask(`select t.name, t.seq, ${end} as last from ${s}.threads t where t.seq <> ${end} limit ${findingLimit}`)
  const lone = `not exists (select 1 from ${s}.threads t where t.id = b.thread)`
  const orphans = await ask(`select distinct b.thread from ${s}.batches b where ${lone} limit ${findingLimit}`)
  const unused = await ask(
    `select hash from ${s}.blobs b where not exists (select 1 from ${s}.thread_blobs o where o.hash = b.hash) limit ${findingLimit}`,
  )
  const unsafe = await ask("select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off' order by name")
  return [
    ...torn.map(({ name: thread, seq, last }) => ({ thread: String(thread), problem: `the head is at ${seq}, and the last batch ends at ${last}` })),
    ...orphans.map((row) => told(`the batches of ${row['thread']} belong to no thread`)),
    ...unused.map((row) => told(`the blob ${row['hash']} belongs to no thread`)),
    ...unsafe.map((row) => told(`the server runs with ${row['name']} = off: a power cut may take what was acknowledged`)),
  ]
}
