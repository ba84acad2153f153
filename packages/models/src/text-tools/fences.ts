/** Finds the blocks under the mark of a request in a text that comes in pieces. Other text is passed on as soon as it cannot be part of such a block. */
import { readCalls, type WrittenCall } from './read-call.ts'

/** A part of a text: plain text, or calls. */
export type Found = { readonly text: string } | { readonly calls: readonly WrittenCall[] }

/** Reads a text. */
export interface FenceReader {
  read(piece: string): readonly Found[]
  /** Returns the rest at the end. A reply that was cut off makes only the calls that it wrote to their end. */
  end(how: { readonly isCut: boolean }): readonly Found[]
}

/** What a reply may call, and the mark of its request. */
export interface Callable {
  readonly tools: ReadonlySet<string>
  readonly mark: string
}

const fence = '```'

/** An open block. What is certainly inside is kept apart, so that a long block is not searched again with each of its pieces. */
interface Open {
  /** The text before the content of the block. */
  readonly head: string
  readonly inside: string[]
}

interface Reading extends Callable {
  held: string
  open: Open | undefined
  /** The fence of the block of code that the text is in, which holds no call. */
  code: string | undefined
  /** Whether nothing but white space was passed on of the current line. */
  isLineStart: boolean
}

/** A reader of one text. */
export function createFenceReader(callable: Callable): FenceReader {
  const reading: Reading = { ...callable, held: '', open: undefined, code: undefined, isLineStart: true }
  const drain = (): Found[] => {
    const found: Found[] = []
    for (let next = step(reading); next; next = step(reading)) found.push(next)
    return found
  }
  return {
    read(piece) {
      reading.held += piece
      return drain()
    },
    end({ isCut }) {
      const found = drain()
      const { open, held } = reading
      if (open) found.push(settle(reading, { open, rest: held, isWhole: !isCut }))
      else if (held !== '') found.push({ text: held })
      reading.held = ''
      reading.open = undefined
      return found
    },
  }
}

/** Reads one step; undefined when more text is needed. */
function step(reading: Reading): Found | undefined {
  if (reading.open) return inBlock(reading, reading.open)
  const { held } = reading
  const begin = fenceIn(reading)
  if (begin === -1) return release(reading, held.length - (/`{1,2}$/.exec(held)?.[0].length ?? 0))
  return begin > 0 ? release(reading, begin) : enter(reading)
}

/** Passes text on. */
function release(reading: Reading, length: number): Found | undefined {
  const text = reading.held.slice(0, length)
  reading.held = reading.held.slice(length)
  const line = text.slice(text.lastIndexOf('\n') + 1)
  reading.isLineStart = line.trim() === '' && (text.includes('\n') || reading.isLineStart)
  return text === '' ? undefined : { text }
}

/** Reads the line of the fence at the start of the held text: it opens a block of calls or of code, or closes one of code. */
function enter(reading: Reading): Found | undefined {
  const { held, code, mark } = reading
  const line = held.indexOf('\n')
  // A line that goes on marks no call: what is held is searched again with each piece, so it has to stay short.
  if (line === -1 && held.length <= longestMark) return undefined
  if (line === -1 || line > longestMark) {
    reading.code ??= /^`+/.exec(held)?.[0] ?? fence
    return release(reading, line === -1 ? held.length : line + 1)
  }
  const [, ticks = fence, words = ''] = /^(`+)(.*)$/.exec(held.slice(0, line)) ?? []
  if (code !== undefined) {
    // A block of code ends with a fence that is as long as its own; a shorter one is part of the code.
    if (ticks.length >= code.length && words.trim() === '') reading.code = undefined
  } else if (ticks === fence && words.trim() === mark) return openBlock(reading, { head: held.slice(0, line + 1), inside: [] })
  else reading.code = ticks
  return release(reading, line + 1)
}

function openBlock(reading: Reading, open: Open): Found | undefined {
  reading.open = open
  reading.held = reading.held.slice(open.head.length)
  reading.isLineStart = true
  return inBlock(reading, open)
}

/** Characters of the line that opens a block; and white space before the fence that ends it. */
const longestMark = 100

/** Each is bounded, so that what may be the beginning of an end stays short. */
const ends = {
  inLine: { found: /\n[ \t]{0,100}```[ \t]*(?=\n|$)/, partial: /\n[ \t]{0,100}`{0,2}$/ },
  atStart: { found: /(?:^|\n)[ \t]{0,100}```[ \t]*(?=\n|$)/, partial: /(?:^|\n)[ \t]{0,100}`{0,2}$/ },
} as const

function inBlock(reading: Reading, open: Open): Found | undefined {
  const { held, isLineStart } = reading
  const { found, partial } = isLineStart ? ends.atStart : ends.inLine
  const end = found.exec(held)
  if (!end) {
    const inside = partial.exec(held)?.index ?? held.length
    open.inside.push(held.slice(0, inside))
    reading.held = held.slice(inside)
    reading.isLineStart = isLineStart && inside === 0
    return undefined
  }
  reading.held = held.slice(end.index + end[0].length)
  reading.isLineStart = false
  reading.open = undefined
  return settle(reading, { open, rest: held.slice(0, end.index), isWhole: true })
}

interface Ended {
  readonly open: Open
  readonly rest: string
  readonly isWhole: boolean
}

const settle = ({ tools }: Reading, { open, rest, isWhole }: Ended): Found => ({
  calls: readCalls({ text: open.inside.join('') + rest, isWhole }, tools),
})

/** Where a fence starts, at the start of a line. */
function fenceIn({ held, isLineStart }: Reading): number {
  const found = (isLineStart ? /(?:^|\n)[ \t]*```/ : /\n[ \t]*```/).exec(held)
  return found ? held.indexOf(fence, found.index) : -1
}
