/** Reads the lines of a thread as the file journal and `exportThread` write them. */
import type { LoomEvent, Summary } from '@loom-agent/kernel'
import { blobBytesOf, blobNameOf, checkLine, format, type Header, headerOf, lineStarts, summaryOf } from '../file/line.ts'
import { blobHash, chainStart, idOf } from '../storage/chain.ts'
import { restoreTexts, textsOf } from '../storage/offload-blobs.ts'
import { name } from './event-fields.ts'
import { broken, eventsOf, type ImportPart, isEpoch, isForkOf, type Lines, orBroken, type Reading } from './import-parts.ts'

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
  /** The ids of its batches. */
  readonly ids: Set<string>
  hasStarted: boolean
}

/** How a line can start: the last line of an export has its end. */
const kinds = [...lineStarts, '{"end":']

/** The parts of a file of a thread, or of an export, which has an end. */
export async function* readFormat2(lines: Lines, reading: Reading): AsyncGenerator<ImportPart, void> {
  const ends: string[] = []
  let section: Section | undefined
  let isEnded = false
  for await (const line of lines) {
    reading.line += 1
    if (isEnded) throw broken(reading, 'it continues after its end')
    const next = orBroken(reading, () => sectionAt(reading, section, line))
    if (next !== section && section) {
      yield whole(reading, section)
      ends.push(section.chain)
    }
    section = next
    orBroken(reading, () => addLine(reading, next, line))
    isEnded = line.startsWith('{"end":')
    if (isEnded && JSON.stringify(endsIn(line)) !== JSON.stringify(ends)) throw broken(reading, 'what comes before its last thread is not whole')
    if (idOf(line) !== undefined) yield* orBroken(reading, () => partsOf(reading, next, line))
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
  return { header, ...start, blobs: new Map(), texts: new Map(), ids: new Set() }
}

function isHeader({ forkOf, exported, incarnation }: Header): boolean {
  return name(incarnation) && (forkOf === undefined || isForkOf(forkOf)) && (exported === undefined || typeof exported === 'string')
}

/** Adds a line to its section. */
function addLine(reading: Reading, section: Section, line: string): void {
  const end = checkLine(section.chain, line)
  if (!end) throw broken(reading, 'it does not fit its hash')
  if (!isEpoch(end.epoch)) throw broken(reading, `it cannot have the epoch ${end.epoch}`)
  if (!kinds.some((start) => line.startsWith(start))) throw broken(reading, 'it is of no kind that this version of Loom knows')
  const restated = headerOf(line)
  if (restated) restate(reading, section, restated)
  const blob = blobNameOf(line)
  if (blob !== undefined) {
    const bytes = blobBytesOf(line)
    if (!bytes) throw broken(reading, `the blob ${blob} has no bytes`)
    if (blobHash(bytes) !== blob) throw broken(reading, `the blob ${blob} has other bytes than its name says`)
    section.blobs.set(blob, bytes)
  }
  Object.assign(section, { chain: end.hash, epoch: end.epoch, last: line })
  if (idOf(line) === undefined && end.seq !== section.seq) throw broken(reading, `it has ${section.seq} of ${end.seq} events`)
}

/** A thread that was acquired before its first batch may get another header with that; after it none. */
function restate(reading: Reading, section: Section, header: Header): void {
  const isSame = header.thread === section.header.thread && header.format === section.header.format && header.exported === section.header.exported
  if (section.hasStarted || !isSame || !isHeader(header)) throw broken(reading, 'its header does not fit the one before')
  section.header = header
}

function partsOf(reading: Reading, section: Section, line: string): readonly ImportPart[] {
  const { header, blobs, texts, ids } = section
  const { thread, incarnation, forkOf, exported = thread } = header
  const id = idOf(line) ?? ''
  if (ids.has(id)) throw broken(reading, `there is a batch with the id ${JSON.stringify(id.slice(0, 80))} before`)
  ids.add(id)
  const parts: ImportPart[] = []
  if (!section.hasStarted) parts.push({ kind: 'thread', thread, incarnation, ...(forkOf && { forkOf }), isNeeded: exported !== thread })
  const named = new Set(textsOf(line))
  for (const [name, bytes] of blobs) if (named.has(name)) texts.set(name, bytes)
  const given = new Map([...blobs].filter(([name]) => !named.has(name)))
  const start = section.hasStarted ? section.seq : (forkOf?.seq ?? 0)
  const events: readonly LoomEvent[] = eventsOf(reading, { thread, seq: start + 1, line: restoreTexts(line, (hash) => texts.get(hash)) })
  parts.push({ kind: 'events', events, blobs: given })
  Object.assign(section, { hasStarted: true, blobs: new Map(), seq: start + events.length })
  return parts
}

function whole(reading: Reading, { hasStarted, epoch, last, header, seq }: Section): ImportPart {
  if (!hasStarted) throw broken(reading, `there is no event of ${header.thread}`)
  const summary: Partial<Summary> | null = summaryOf(last)
  if (typeof summary?.status !== 'string') throw broken(reading, `${header.thread}@${seq} has no status`)
  return { kind: 'whole', epoch, summary: { ...summary, status: summary.status } }
}
