/** Finds blocks of calls in a text that comes in pieces. Other text is passed on as soon as it cannot be part of a block. */
import { readCalls, type WrittenCall } from './read-call.ts'

/** A part of a text: plain text, or calls. */
export type Found = { readonly text: string } | { readonly calls: readonly WrittenCall[] }

/** Reads a text. */
export interface FenceReader {
  read(piece: string): readonly Found[]
  /** Returns the rest at the end. A reply that was cut off makes only the calls that it wrote to their end. */
  end(how: { readonly isCut: boolean }): readonly Found[]
}

const fence = '```'
const tag = '<tool_call>'
const marks: ReadonlySet<string> = new Set(['tool', 'tool_call', 'tool_calls', 'tool_use', 'function_call'])
const perhaps: ReadonlySet<string> = new Set(['', 'json', 'javascript', 'js'])

/** An open block. What is certainly inside is kept apart, so that a long block is not searched again with each of its pieces. */
interface Open {
  readonly kind: 'fence' | 'tag'
  readonly isMarked: boolean
  /** The text before the content of the block. */
  readonly head: string
  readonly inside: string[]
}

interface Reading {
  readonly tools: ReadonlySet<string>
  held: string
  open: Open | undefined
  /** Whether the text is in a block of code, which holds no call. */
  isCode: boolean
  /** Whether nothing but white space was passed on of the current line. */
  isLineStart: boolean
}

/** A reader of one text. */
export function createFenceReader(tools: ReadonlySet<string>): FenceReader {
  const reading: Reading = { tools, held: '', open: undefined, isCode: false, isLineStart: true }
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
      if (open) found.push(settle(reading, open, { rest: held, end: '', isWhole: !isCut }))
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
  const { held, isCode } = reading
  const begin = openerIn(reading)
  if (begin === -1) return release(reading, held.length - partialOpener(held))
  if (isCode) {
    reading.isCode = false
    return release(reading, begin + fence.length)
  }
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

/** Enters the block at the start of the held text. */
function enter(reading: Reading): Found | undefined {
  const { held } = reading
  if (held.startsWith(tag)) return openBlock(reading, { kind: 'tag', isMarked: true, head: tag, inside: [] })
  const line = held.indexOf('\n')
  // A line that goes on marks no call: what is held is searched again with each piece, so it has to stay short.
  if (line === -1 && held.length <= longestMark) return undefined
  if (line === -1 || line > longestMark) {
    reading.isCode = true
    return release(reading, line === -1 ? held.length : line + 1)
  }
  const mark = held.slice(fence.length, line).trim().toLowerCase()
  if (marks.has(mark) || perhaps.has(mark)) {
    return openBlock(reading, { kind: 'fence', isMarked: marks.has(mark), head: held.slice(0, line + 1), inside: [] })
  }
  reading.isCode = true
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
  tag: { found: /<\/tool_call>/, partial: /<(?:\/[a-z_]{0,9})?$/ },
  fence: { found: /\n[ \t]{0,100}```[ \t]*(?=\n|$)/, partial: /\n[ \t]{0,100}`{0,2}$/ },
  fenceAtStart: { found: /(?:^|\n)[ \t]{0,100}```[ \t]*(?=\n|$)/, partial: /(?:^|\n)[ \t]{0,100}`{0,2}$/ },
} as const

function inBlock(reading: Reading, open: Open): Found | undefined {
  const { held, isLineStart } = reading
  const { found, partial } = open.kind === 'tag' ? ends.tag : isLineStart ? ends.fenceAtStart : ends.fence
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
  return settle(reading, open, { rest: held.slice(0, end.index), end: end[0], isWhole: true })
}

function settle(
  { tools }: Reading,
  { isMarked, head, inside }: Open,
  { rest, end, isWhole }: { rest: string; end: string; isWhole: boolean },
): Found {
  const text = inside.join('') + rest
  const calls = readCalls({ text, isMarked, isWhole }, tools)
  return calls ? { calls } : { text: head + text + end }
}

/** Where a block starts: a fence at the start of a line, or a tag. In code only a fence counts, which ends the code. */
function openerIn({ held, isCode, isLineStart }: Reading): number {
  const found = (isLineStart ? /(?:^|\n)[ \t]*```/ : /\n[ \t]*```/).exec(held)
  const fenced = found ? held.indexOf(fence, found.index) : -1
  const tagged = isCode ? -1 : held.indexOf(tag)
  return fenced === -1 || (tagged !== -1 && tagged < fenced) ? tagged : fenced
}

/** How many characters at the end may be the start of an opener. */
function partialOpener(text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(-length)
    if (tag.startsWith(end) || (length < fence.length && fence.startsWith(end))) return length
  }
  return 0
}
