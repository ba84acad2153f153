/** A thread as lines of text, to be kept or taken to another journal. */
import { type Batch, encodeBatch, type Head, type Journal, type LoomEvent, place } from '@loom-agent/kernel'
import { blobsIn } from './blob-refs.ts'
import { blobHash } from './chain.ts'
import { damage, journalError } from './failure.ts'
import { createSeal, transferFormat, versionOf } from './transfer-line.ts'

/**
 * The lines of a thread, without line ends. Works over every journal; what is appended meanwhile is left out.
 *
 * @example
 * for await (const line of exportThread(journal, 'user-1')) file.write(`${line}\n`)
 */
export async function* exportThread(journal: Journal, thread: string): AsyncGenerator<string, void> {
  const head = await journal.head(thread)
  if (!head || head.seq === 0) throw journalError('unusable', `There is no thread ${thread} in this journal to export.`, { context: { thread } })
  const seal = createSeal()
  const { seq, epoch, summary } = head
  yield seal(JSON.stringify({ header: { format: transferFormat, thread, seq, epoch, summary } }))
  const named = new Set<string>()
  for await (const batch of batchesOf(journal, head)) {
    for (const name of batch.events.flatMap(({ data }) => blobsIn(data))) {
      const bytes = named.has(name) ? undefined : await journal.blob(name)
      named.add(name)
      if (bytes) yield seal(JSON.stringify({ blob: { name, digest: blobHash(bytes), base64: Buffer.from(bytes).toString('base64') } }))
    }
    yield seal(`{"batch":${encodeBatch(batch)}}`)
  }
  yield seal(JSON.stringify({ end: seq }))
}

type Growing = Batch & { readonly events: LoomEvent[] }

/** Events as batches again: what was appended together has one time, and follows in run and turn from what is before it. */
async function* batchesOf(journal: Journal, { thread, seq: end }: Head): AsyncGenerator<Batch, void> {
  let seq = 0
  let run: string | undefined
  while (seq < end) {
    const page = await journal.read(thread, { from: seq + 1 })
    if (page.length === 0) throw damage(thread, seq + 1, 'its end is missing')
    let batch: Growing | undefined
    let turn: number | undefined
    for (const event of page.slice(0, end - seq)) {
      checkVersion(event)
      if (batch && batch.time === event.time && follows(event, run, turn)) batch.events.push(event)
      else {
        if (batch) yield batch
        batch = begun(event, event.type === 'run.queued' ? run : event.run)
      }
      // A queued run has an event and is not the one under way.
      if (event.type !== 'run.queued') run = event.run
      turn = event.turn
      seq = event.seq
    }
    if (batch) yield batch
  }
}

function begun(event: LoomEvent, run: string | undefined): Growing {
  const { seq, time, turn } = event
  return { id: `export.${seq}`, expected: seq - 1, time, run, turn, events: [event], summary: { status: 'idle' } }
}

/** Whether run and turn of an event are those that follow from what is before it. */
function follows(event: LoomEvent, run: string | undefined, turn: number | undefined): boolean {
  const { thread, seq, time } = event
  return place({ thread, seq, time, run, turn }, [event]).every((placed) => placed.run === event.run && placed.turn === event.turn)
}

function checkVersion({ thread, seq, type, v }: LoomEvent): void {
  if (v === versionOf(type)) return
  const what = `The event ${thread}@${seq} has version ${v} of ${type}, which this version of Loom cannot write. Export it with the version that wrote it.`
  throw journalError('unusable', what, { context: { thread, seq } })
}
