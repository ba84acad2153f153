/** What is on the plate of a simulated disk, what is only visible, and what a power failure leaves of it. */

/** How power fails: all that was not synced is forgotten; or a prefix of it survives; or any sectors of it. */
export type PowerFailure = 'forget' | 'tear' | 'scatter'

/** A change of a file's content that is not durable yet. */
export type Change = Readonly<{ at: number; bytes: Uint8Array } | { size: number }>
/** A file: what is visible, what is durable, and what makes the difference. */
export type Inode = { content: Buffer; durable: Buffer; changes: Change[] }
/** A name that leads somewhere else, or nowhere. */
export type NameChange = Readonly<{ name: string; node: Inode | undefined }>
/** A folder: its names as they are visible and as they are durable. Changes that belong together, as a rename, survive together. */
export type NameTable = { names: Map<string, Inode>; durable: Map<string, Inode>; changes: (readonly NameChange[])[] }

const sector = 512

/** The content after a change; a gap is filled with zeros. */
export function changed(content: Buffer, next: Change): Buffer {
  const length = 'size' in next ? next.size : Math.max(content.length, next.at + next.bytes.length)
  const result = Buffer.alloc(length)
  content.copy(result)
  if ('bytes' in next) result.set(next.bytes, next.at)
  return result
}

/** Changes names. */
export function applyNames(names: Map<string, Inode>, changes: readonly NameChange[]): void {
  for (const { name, node } of changes) {
    if (node) names.set(name, node)
    else names.delete(name)
  }
}

/** The power fails: what is left of a folder and its files. */
export function failPower(folder: NameTable, how: PowerFailure, random: () => number): void {
  const inodes = new Set([...folder.durable.values(), ...folder.names.values()])
  for (const inode of inodes) {
    const survivors = how === 'forget' ? [] : how === 'tear' ? prefixOf(inode.changes, random) : sectorsOf(inode.changes, random)
    for (const change of survivors) inode.durable = changed(inode.durable, change)
    inode.content = inode.durable
    inode.changes = []
  }
  const names = how === 'forget' ? [] : folder.changes.slice(0, Math.floor(random() * (folder.changes.length + 1)))
  for (const change of names) applyNames(folder.durable, change)
  folder.names = new Map(folder.durable)
  folder.changes = []
}

function prefixOf(changes: readonly Change[], random: () => number): readonly Change[] {
  const survivors = changes.slice(0, Math.floor(random() * (changes.length + 1)))
  const next = changes[survivors.length]
  return next && 'bytes' in next
    ? [...survivors, { at: next.at, bytes: next.bytes.subarray(0, Math.floor(random() * next.bytes.length)) }]
    : survivors
}

/** Each sector of each write by itself; a file is never longer than its last surviving byte. */
function sectorsOf(changes: readonly Change[], random: () => number): readonly Change[] {
  return changes.flatMap((change) => {
    if (!('bytes' in change)) return random() < 0.5 ? [change] : []
    const pieces: Change[] = []
    for (let begin = change.at; begin < change.at + change.bytes.length; ) {
      const end = Math.min(change.at + change.bytes.length, (Math.floor(begin / sector) + 1) * sector)
      if (random() < 0.5) pieces.push({ at: begin, bytes: change.bytes.subarray(begin - change.at, end - change.at) })
      begin = end
    }
    return pieces
  })
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let value = seed >>> 0
  return () => {
    value = (value + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(value ^ (value >>> 15), value | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
