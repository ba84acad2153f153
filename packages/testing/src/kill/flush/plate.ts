/**
 * A folder of a disk that loses power: what was synced is on the plate, what was not may be.
 *
 * Made for big files and many power failures: the plate is copied once a failure, whatever was written.
 */
import type { PowerFailure } from '../../power-failure.ts'
import type { Operation } from './trace.ts'

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number }

/** A file: what is on the plate, and what was done since. */
interface PlateFile {
  durable: Buffer
  changes: Change[]
}

type NameChange = { readonly name: string; readonly file: PlateFile | undefined }

/** A folder: its names as they are seen, as they are on the plate, and what makes the difference. */
export interface Plate {
  readonly names: Map<string, PlateFile>
  readonly durable: Map<string, PlateFile>
  changes: NameChange[]
}

const sector = 512

/** A folder that was just made. */
export function emptyPlate(): Plate {
  return { names: new Map(), durable: new Map(), changes: [] }
}

/** Does to the folder what a program did to it. */
export function apply(plate: Plate, operation: Operation): void {
  switch (operation.kind) {
    case 'create':
      if (!plate.names.has(operation.name)) rename(plate, operation.name, { durable: Buffer.alloc(0), changes: [] })
      return
    case 'remove':
      return rename(plate, operation.name, undefined)
    case 'write':
      return void fileOf(plate, operation.name).changes.push({ at: operation.at, bytes: operation.bytes })
    case 'truncate':
      return void fileOf(plate, operation.name).changes.push({ size: operation.size })
    case 'sync': {
      const file = fileOf(plate, operation.name)
      file.durable = changed(file.durable, file.changes)
      file.changes = []
      return
    }
    case 'sync-folder':
      for (const { name, file } of plate.changes) renamed(plate.durable, name, file)
      plate.changes = []
      return
    case 'said':
      return
  }
}

function fileOf({ names }: Plate, name: string): PlateFile {
  const file = names.get(name)
  if (!file) throw new Error(`The trace uses ${name}, and there is no such file.`)
  return file
}

function rename(plate: Plate, name: string, file: PlateFile | undefined): void {
  renamed(plate.names, name, file)
  plate.changes.push({ name, file })
}

function renamed(names: Map<string, PlateFile>, name: string, file: PlateFile | undefined): void {
  if (file) names.set(name, file)
  else names.delete(name)
}

/** The files that a power failure leaves. The folder itself stays as it is: power can fail in many ways at one moment. */
export function failPlate({ durable, changes }: Plate, how: PowerFailure, random: () => number): ReadonlyMap<string, Uint8Array> {
  const names = new Map(durable)
  const survivors = how === 'forget' ? 0 : Math.floor(random() * (changes.length + 1))
  for (const { name, file } of changes.slice(0, survivors)) renamed(names, name, file)
  return new Map([...names].map(([name, file]) => [name, changed(file.durable, surviving(file.changes, how, random))]))
}

function surviving(changes: readonly Change[], how: PowerFailure, random: () => number): readonly Change[] {
  if (how === 'forget') return []
  if (how === 'scatter') return changes.flatMap((change) => sectorsOf(change, random))
  const whole = Math.floor(random() * (changes.length + 1))
  const torn = changes[whole]
  if (!torn || 'size' in torn) return changes.slice(0, whole)
  return [...changes.slice(0, whole), { at: torn.at, bytes: torn.bytes.subarray(0, Math.floor(random() * torn.bytes.length)) }]
}

/** Each sector of a write is on the plate, or is not. */
function sectorsOf(change: Change, random: () => number): readonly Change[] {
  if ('size' in change) return random() < 0.5 ? [change] : []
  const { at, bytes } = change
  const pieces: Change[] = []
  for (let begin = at; begin < at + bytes.length; ) {
    const end = Math.min(at + bytes.length, (Math.floor(begin / sector) + 1) * sector)
    if (random() < 0.5) pieces.push({ at: begin, bytes: bytes.subarray(begin - at, end - at) })
    begin = end
  }
  return pieces
}

/** The content after some changes; a gap is filled with zeros. */
function changed(content: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return content
  const room = changes.reduce((most, change) => Math.max(most, 'size' in change ? change.size : change.at + change.bytes.length), content.length)
  const result = Buffer.alloc(room)
  content.copy(result)
  let size = content.length
  for (const change of changes) {
    if ('bytes' in change) {
      result.set(change.bytes, change.at)
      size = Math.max(size, change.at + change.bytes.length)
    } else {
      // What is cut off and grows again comes back as zeros.
      if (change.size < size) result.fill(0, change.size, size)
      size = change.size
    }
  }
  return result.subarray(0, size)
}
