/** Reads the lines of a thread as the file journal and `exportThread` write them. */
import type { LoomEvent, Summary } from '@loom-agent/kernel'
import { blobBytesOf, blobNameOf, checkLine, format, type Header, headerOf, summaryOf } from '../file/line.ts'
import { chainStart, idOf } from '../storage/chain.ts'
import { isMisnamed, restoreTexts, textsOf } from '../storage/offload-blobs.ts'
import { broken, eventsOf, type ImportPart, isEpoch, isForkOf, type Lines, type Reading } from './import-parts.ts'

/** The thread that is being read. */
interface Section {
  header: Header
  chain: string
  seq: number
  epoch: number
  last: string
  /** The blobs since the last batch, and the texts of all. */
  blobs: Map<string, Uint8Array>
  readonly texts: Map<string, Uint8Array>
  hasStarted: boolean
}

/** The parts of a file of a thread, or of an export, which has an end. */
export async function* readFormat2(lines: Lines, reading: Reading): AsyncGenerator<ImportPart, void> {
  const ends: string[] = []
  let section: Section | undefined
  let isEnded = false
  for await (const line of lines) {
    reading.line += 1
    if (isEnded) throw broken(reading, 'it continues after its end')
    const next = sectionAt(reading, section, line)
    if (next !== section && section) {
      yield whole(reading, section)
      ends.push(section.chain)
    }
    section = next
    addLine(reading, section, line)
    isEnded = line.startsWith('{"end":')
    if (isEnded && JSON.stringify(endsIn(line)) !== JSON.stringify(ends)) throw broken(reading, 'what comes before its last thread is not whole')
    if (idOf(line) !== undefined) yield* partsOf(reading, section, line)
  }
  if (!section || (section.header.exported !== undefined && !isEnded)) throw broken(reading, 'its end is missing')
  yield whole(reading, section)
}

const endsIn = (line: string): unknown => (JSON.parse(line) as { end: unknown }).end

/** The section that a line belongs to: a header that does not fit the lines before it starts a new one. */
function sectionAt(reading: Reading, current: Section | undefined, line: string): Section {
  if (current && checkLine(current.chain, line)) return current
  const header = headerOf(line)
  if (!header) throw broken(reading, current ? 'it does not fit its hash' : 'it does not start with a header')
  if (header.format !== format) throw broken(reading, `it has format ${header.format}, and this version of Loom knows ${format}`)
  if (!isHeader(header)) throw broken(reading, 'it does not start with a header')
  const start = { chain: chainStart(header.thread), seq: 0, epoch: 0, last: line, hasStarted: false }
  return { header, ...start, blobs: new Map(), texts: new Map() }
}

function isHeader({ forkOf, exported }: Header): boolean {
  return (forkOf === undefined || isForkOf(forkOf)) && (exported === undefined || typeof exported === 'string')
}

/** Adds a line to its section. */
function addLine(reading: Reading, section: Section, line: string): void {
  const end = checkLine(section.chain, line)
  if (!end) throw broken(reading, 'it does not fit its hash')
  if (!isEpoch(end.epoch)) throw broken(reading, `it cannot have the epoch ${end.epoch}`)
  const restated = headerOf(line)
  if (restated && isHeader(restated)) section.header = restated
  const blob = blobNameOf(line)
  if (blob !== undefined) {
    const bytes = blobBytesOf(line)
    if (!bytes) throw broken(reading, `the blob ${blob} has no bytes`)
    if (isMisnamed(blob, bytes)) throw broken(reading, `the blob ${blob} has other bytes than its name says`)
    section.blobs.set(blob, bytes)
  }
  Object.assign(section, { chain: end.hash, epoch: end.epoch, last: line })
  if (idOf(line) === undefined && end.seq !== section.seq) throw broken(reading, `it has ${section.seq} of ${end.seq} events`)
}

function* partsOf(reading: Reading, section: Section, line: string): Generator<ImportPart, void> {
  const { header, blobs, texts } = section
  const { thread, incarnation, forkOf, exported = thread } = header
  if (!section.hasStarted) yield { kind: 'thread', thread, incarnation, ...(forkOf && { forkOf }), isNeeded: exported !== thread }
  const named = new Set(textsOf(line))
  for (const [name, bytes] of blobs) if (named.has(name)) texts.set(name, bytes)
  const given = new Map([...blobs].filter(([name]) => !named.has(name)))
  const start = section.hasStarted ? section.seq : (forkOf?.seq ?? 0)
  const events: readonly LoomEvent[] = eventsOf(reading, { thread, seq: start + 1, line: restoreTexts(line, (hash) => texts.get(hash)) })
  yield { kind: 'events', events, blobs: given }
  Object.assign(section, { hasStarted: true, blobs: new Map(), seq: start + events.length })
}

function whole(reading: Reading, { hasStarted, epoch, last, header, seq }: Section): ImportPart {
  if (!hasStarted) throw broken(reading, `there is no event of ${header.thread}`)
  const summary: Partial<Summary> | null = summaryOf(last)
  if (typeof summary?.status !== 'string') throw broken(reading, `${header.thread}@${seq} has no status`)
  return { kind: 'whole', epoch, summary: { ...summary, status: summary.status } }
}
