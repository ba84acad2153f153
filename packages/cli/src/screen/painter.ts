/**
 * Painting: what the terminal is sent so that it shows the next state.
 *
 * What is done stands above, and scrolls away as it does in any terminal. What may still change is the block below it, with the input. Painting changes only
 * lines of the block that differ, within one synchronized update: a terminal shows all of it at once, so nothing flickers.
 *
 * PAINT-1. What is sent depends on the lines that are new above and on the lines of the block that differ, and on nothing else: not on the length of the thread.
 * PAINT-2. A line of the block never wraps, however wide the terminal takes its signs to be: the block has as many rows as it has lines.
 */

/** A size in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What the terminal shows of the block, and where its cursor is. */
export interface Painted {
  /** The lines, as they were sent. */
  readonly lines: readonly string[]
  /** The places that each line takes. */
  readonly widths: readonly number[]
  /** The line of the cursor. */
  readonly row: number
  /** The place of the cursor in its line. */
  readonly column: number
  /** The size of the terminal at that time. */
  readonly size: Size
}

/** What is to be shown. */
export interface Painting extends Painted {
  /** New lines above the block, which stay for good. */
  readonly above: readonly string[]
}

/** The block of a terminal that shows none yet. */
export const nothingPainted = (size: Size): Painted => ({ lines: [''], widths: [0], row: 0, column: 0, size })

const csi = '\u001b['
const begin = `${csi}?2026h${csi}?25l`
const end = `${csi}?25h${csi}?2026l`
const wrapOff = `${csi}?7l`
const wrapOn = `${csi}?7h`
const eraseBelow = `${csi}J`
const eraseLine = `${csi}K`

/** What is sent to come from one state to the next; empty when nothing differs. */
export function paint(before: Painted, next: Painting): string {
  const isResized = before.size.columns !== next.size.columns
  const body = isResized || next.above.length > 0 ? repaint(before, next) : repair(before, next)
  const isMoved = before.row !== next.row || before.column !== next.column
  if (body.bytes === '' && !isMoved) return ''
  // Without a change of lines the cursor alone moves: nothing can flicker.
  const move = moveTo(body.row, next)
  return body.bytes === '' ? move : `${begin}${body.bytes}${move}${end}`
}

/** What is sent so that the block is gone, and the cursor stands where it began. */
export const unpaint = (before: Painted, size: Size): string => `${upTo(before, size)}${eraseBelow}`

interface Sent {
  readonly bytes: string
  /** The row in which the cursor is then. */
  readonly row: number
}

/** Everything anew: from where the block began. */
function repaint(before: Painted, next: Painting): Sent {
  const above = next.above.map((one) => `${one}\r\n`).join('')
  const block = `${wrapOff}${next.lines.join('\r\n')}${wrapOn}`
  return { bytes: `${upTo(before, next.size)}${eraseBelow}${above}${block}`, row: next.lines.length - 1 }
}

/** Only the lines that differ. */
function repair(before: Painted, next: Painting): Sent {
  let bytes = ''
  let { row } = before
  for (const [at, one] of next.lines.entries()) {
    if (before.lines[at] === one) continue
    // Only a line break makes a row below the last one.
    bytes += at < before.lines.length ? rows(at - row) : `${rows(at - 1 - row)}\r\n`
    bytes += `\r${wrapOff}${one}${eraseLine}${wrapOn}`
    row = at
  }
  if (next.lines.length < before.lines.length) {
    // From the end of the last line that stays: what is behind it in the line stays as well.
    bytes += `${rows(next.lines.length - row)}\r${eraseBelow}`
    row = next.lines.length
  }
  return { bytes, row }
}

/** Moves down, or up where it is negative; never scrolls. */
const rows = (count: number): string => (count === 0 ? '' : count > 0 ? `${csi}${count}B` : `${csi}${-count}A`)

const moveTo = (row: number, { row: wanted, column }: Painted): string => `${rows(wanted - row)}\r${column > 0 ? `${csi}${column}C` : ''}`

/**
 * Back to the first row of the block. A terminal that has become narrower has broken its lines above the cursor into more rows; one that has become wider
 * has not joined them, because each ended with a line break.
 */
function upTo({ widths, row }: Painted, { columns, rows: height }: Size): string {
  const above = widths.slice(0, row).reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
  return `${rows(-Math.min(above, height - 1))}\r`
}
