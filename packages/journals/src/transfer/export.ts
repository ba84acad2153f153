/** Exports a thread, with what it needs to continue, as lines of text. */
import { type Head, type Journal, mayGoOn, type Seq, type Summary } from '@loom-agent/kernel'
import { blobBody, format, type Header, sealLine, withField } from '../file/line.ts'
import { newBlobs, ownBlobsOf } from '../storage/blob-refs.ts'
import { chainStart } from '../storage/chain.ts'
import { offloadBlobs } from '../storage/offload-blobs.ts'
import { aJournal, checkOptions, requiredText } from '../storage/options.ts'
import { type Ancestor, ancestorsOf, descendantsOf, requireHead } from './lineage.ts'
import { batchesIn, eventsBetween } from './migrate-batches.ts'

/**
 * Returns the lines of a thread, without line breaks, as the file journal writes them. Works on every journal; what is appended meanwhile is left out.
 * The threads that a fork was cut from come before it, up to the cut, and so do its children, whole. The last line says that nothing is missing.
 *
 * @example
 * for await (const line of exportThread(journal, 'user-1')) file.write(`${line}\n`)
 */
export async function* exportThread(journal: Journal, thread: string): AsyncGenerator<string, void> {
  checkOptions('exportThread', { journal, thread }, { journal: aJournal, thread: requiredText('the id of a thread') })
  const head = withoutQuarantine(await requireHead(journal, thread))
  const ends: string[] = []
  // Children before the thread: once it is there, a driver may continue it, and would start over what is missing.
  const children = (await descendantsOf(journal, head)).map((child) => ({ head: withoutQuarantine(child), last: child.seq }))
  const past = (await ancestorsOf(journal, head)).map(asPast)
  for (const needed of [...past, ...children]) {
    const section = createSection(needed.head.thread)
    yield* linesOf(journal, needed, { section, exported: thread })
    ends.push(section.end())
  }
  const section = createSection(thread)
  yield* linesOf(journal, { head, last: head.seq }, { section, exported: thread })
  yield section.seal(withSummary(JSON.stringify({ end: ends }), head.summary), head)
}

/** A thread as the past of a fork: it comes without its children, so it is not whole, also where the fork was cut at its head, unless its last run is over. */
function asPast({ head, last }: Ancestor): Ancestor {
  const { summary } = withoutQuarantine(head)
  const isWhole = last === head.seq && !mayGoOn(summary)
  return isWhole ? { head: { ...head, summary }, last } : { head: { ...head, summary: asPartial(summary) }, last }
}

/** Whom a journal trusts is its own affair: the lines do not say it, and are the same when they are imported and exported again. */
function withoutQuarantine(head: Head): Head {
  const { quarantined: _quarantined, ...summary } = head.summary
  return { ...head, summary }
}

/** The lines of one thread, linked to each other. */
interface Section {
  seal(body: string, at: { readonly seq: Seq; readonly epoch: number }): string
  /** The hash of the last line. */
  end(): string
}

function createSection(thread: string): Section {
  let chain = chainStart(thread)
  return {
    seal(body, { seq, epoch }) {
      const { line, hash } = sealLine(chain, body, { seq, epoch, joined: false })
      chain = hash
      return line
    },
    end: () => chain,
  }
}

type Exporting = { readonly section: Section; readonly exported: string }

async function* linesOf(journal: Journal, { head, last }: { head: Head; last: Seq }, { section, exported }: Exporting): AsyncGenerator<string, void> {
  const { thread, incarnation, forkOf, epoch } = head
  const header: Header = { loom: 'thread', format, thread, incarnation, ...(forkOf && { forkOf }), exported }
  yield section.seal(JSON.stringify(header), { seq: 0, epoch: 0 })
  if (epoch > 0) yield section.seal(JSON.stringify({ acquired: { epoch, worker: 'export' } }), { seq: 0, epoch })
  const stored = new Set<string>()
  const own = await ownBlobsOf(journal, thread)
  let seq = forkOf?.seq ?? 0
  for await (const placed of batchesIn(eventsBetween(journal, thread, { first: seq + 1, last, incarnation }))) {
    const blobs = await newBlobs(journal, placed.events, { known: stored, own })
    const batch = { id: `export.${seq + 1}`, incarnation, expected: seq, summary: head.summary, ...placed, blobs }
    const offloaded = offloadBlobs(batch)
    for (const [name, bytes] of offloaded.blobs) {
      if (!stored.has(name) || blobs.has(name)) yield section.seal(blobBody(name, bytes), { seq, epoch })
      stored.add(name)
    }
    seq += placed.events.length
    const isLast = seq === last
    yield section.seal(isLast ? withSummary(offloaded.line, head.summary) : offloaded.line, { seq, epoch })
  }
}

const withSummary = (body: string, summary: Summary): string => withField(body, 'summary', JSON.stringify(summary))

/** The summary of a copy that is not whole (JOURNAL-22). */
export const asPartial = ({ wakeAt: _wakeAt, ...summary }: Summary): Summary => ({ ...summary, status: 'partial' })
