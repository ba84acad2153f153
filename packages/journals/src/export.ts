/** A thread as lines of text, to be kept or taken to another journal. */
import { encodeBatch, type Journal } from '@loom-agent/kernel'
import { blobsIn } from './blob-refs.ts'
import { blobHash } from './chain.ts'
import { type ExportHeader, lineageOf } from './export-lineage.ts'
import { journalError } from './failure.ts'
import { batchesIn, eventsBetween } from './migrate-batches.ts'
import { createSeal, transferFormat } from './transfer-line.ts'

/**
 * The lines of a thread, without line ends. Works over every journal; what is appended meanwhile is left out. The threads that a fork was cut from
 * come before it, whole: without them it could not be read.
 *
 * Give the journal itself, not what `agent.journal` answers: that one shows forks with the past they share.
 *
 * @example
 * for await (const line of exportThread(journal, 'user-1')) file.write(`${line}\n`)
 */
export async function* exportThread(journal: Journal, thread: string): AsyncGenerator<string, void> {
  const head = await journal.head(thread)
  if (!head || head.seq === 0) throw absent(thread)
  const exporting = { journal, seal: createSeal() }
  for (const { thread: ancestor, events } of await lineageOf(journal, head)) yield* linesOf(exporting, ancestor, { of: thread, events })
  yield* linesOf(exporting, thread)
}

interface Exporting {
  readonly journal: Journal
  readonly seal: (text: string) => string
}

async function* linesOf({ journal, seal }: Exporting, thread: string, past?: ExportHeader['past']): AsyncGenerator<string, void> {
  const head = await journal.head(thread)
  if (!head) throw absent(thread)
  const { seq, epoch, summary } = head
  const header: ExportHeader = { format: transferFormat, thread, seq, epoch, summary, ...(past && { past }) }
  yield seal(JSON.stringify({ header }))
  const named = new Set<string>()
  let expected = 0
  for await (const placed of batchesIn(eventsBetween(journal, thread, { first: 1, last: seq }))) {
    for (const name of placed.events.flatMap(({ data }) => blobsIn(data))) {
      const bytes = named.has(name) ? undefined : await journal.blob(name)
      named.add(name)
      if (bytes) yield seal(JSON.stringify({ blob: { name, digest: blobHash(bytes), base64: Buffer.from(bytes).toString('base64') } }))
    }
    yield seal(`{"batch":${encodeBatch({ id: `export.${expected + 1}`, expected, summary: { status: 'idle' }, ...placed })}}`)
    expected += placed.events.length
  }
  yield seal(JSON.stringify({ end: seq }))
}

const absent = (thread: string): Error => journalError('unusable', `There is no thread ${thread} in this journal to export.`, { context: { thread } })
