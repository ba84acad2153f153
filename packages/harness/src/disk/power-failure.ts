/** A simulated folder that loses power: what was synced is durable, what was not may survive, or parts of it. */

/** How power fails: all that was not synced is lost; or a prefix of it survives; or any sectors of it. */
export type PowerFailure = 'forget' | 'tear' | 'scatter'

/** A change of a file's content that is not durable yet. */
export type Change = Readonly<{ at: number; bytes: Uint8Array } | { size: number }>

/** A file: what is durable, and what was done since. */
export interface StoredFile {
  durable: Buffer
  changes: Change[]
}

/** A name that refers to another file, or to none. */
export type NameChange<F extends StoredFile> = Readonly<{ name: string; file: F | undefined }>

/** A folder: its names as they are visible and as they are durable. Changes that belong together, as a rename, survive together. */
export interface Folder<F extends StoredFile> {
  names: Map<string, F>
  durable: Map<string, F>
  changes: (readonly NameChange<F>[])[]
}

const sector = 512

/** An empty folder. */
export function createFolder<F extends StoredFile>(): Folder<F> {
  return { names: new Map(), durable: new Map(), changes: [] }
}

/** The content after some changes; a gap is filled with zeros. The content is copied once, however many changes there are. */
export function changed(content: Buffer, changes: readonly Change[]): Buffer {
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
      // Bytes that are cut off come back as zeros when the file grows again.
      if (change.size < size) result.fill(0, change.size, size)
      size = change.size
    }
  }
  return result.subarray(0, size)
}

/** Makes the content of a file durable. */
export function syncFile(file: StoredFile): void {
  file.durable = changed(file.durable, file.changes)
  file.changes = []
}

/** Changes names of a folder, together. */
export function changeNames<F extends StoredFile>(folder: Folder<F>, changes: readonly NameChange<F>[]): void {
  applyNames(folder.names, changes)
  folder.changes.push(changes)
}

/** Makes the names of a folder durable. */
export function syncFolder<F extends StoredFile>(folder: Folder<F>): void {
  for (const changes of folder.changes.splice(0)) applyNames(folder.durable, changes)
}

function applyNames<F extends StoredFile>(names: Map<string, F>, changes: readonly NameChange<F>[]): void {
  for (const { name, file } of changes) {
    if (file) names.set(name, file)
    else names.delete(name)
  }
}

/** What a power failure leaves. The folder stays as it is: power can fail in many ways at one moment. */
export function afterPowerFailure<F extends StoredFile>(
  folder: Folder<F>,
  how: PowerFailure,
  random: () => number,
): { readonly names: ReadonlyMap<string, F>; readonly contents: ReadonlyMap<F, Buffer> } {
  const files = new Set([...folder.durable.values(), ...folder.names.values()])
  const contents = new Map([...files].map((file) => [file, changed(file.durable, surviving(file.changes, how, random))]))
  const names = new Map(folder.durable)
  const count = how === 'forget' ? 0 : Math.floor(random() * (folder.changes.length + 1))
  for (const changes of folder.changes.slice(0, count)) applyNames(names, changes)
  return { names, contents }
}

function surviving(changes: readonly Change[], how: PowerFailure, random: () => number): readonly Change[] {
  if (how === 'forget') return []
  if (how === 'scatter') {
    // A sector is on the disk as it was at some moment: after a change of it that is lost, later ones are lost too.
    const lost = new Set<number>()
    return changes.flatMap((change) => sectorsOf(change, lost, random))
  }
  const whole = Math.floor(random() * (changes.length + 1))
  const torn = changes[whole]
  if (!torn || 'size' in torn) return changes.slice(0, whole)
  return [...changes.slice(0, whole), { at: torn.at, bytes: torn.bytes.subarray(0, Math.floor(random() * torn.bytes.length)) }]
}

/** Each sector of a write survives by itself, unless an earlier change of it is `lost`. */
function sectorsOf(change: Change, lost: Set<number>, random: () => number): readonly Change[] {
  if ('size' in change) return random() < 0.5 ? [change] : []
  const { at, bytes } = change
  const pieces: Change[] = []
  for (let begin = at; begin < at + bytes.length; ) {
    const number = Math.floor(begin / sector)
    const end = Math.min(at + bytes.length, (number + 1) * sector)
    if (random() >= 0.5) lost.add(number)
    if (!lost.has(number)) pieces.push({ at: begin, bytes: bytes.subarray(begin - at, end - at) })
    begin = end
  }
  return pieces
}
