/** A view: shows states of a block, and lines above it. It paints at most once in a moment, and sends only what differs. */
import type { Style } from '../output/style.ts'
import { type Line, lineBytes, lineWidth, wrapLine } from './line.ts'
import { nothingPainted, type Painted, type Painting, paint, type Size, unpaint } from './painter.ts'

/** The lines of a block, and the place of the cursor in them. */
export interface Block {
  readonly lines: readonly Line[]
  readonly row: number
  readonly column: number
}

/** Where a view paints. */
export interface Canvas {
  write(text: string): void
  size(): Size
}

/** Shows a block, and what is done above it. */
export interface View {
  /** Adds lines above the block, with the next painting. Those that are too long are broken between words. */
  add(lines: readonly Line[]): void
  /** Paints soon: several changes of one moment are one painting. */
  refresh(): void
  /** Paints now, then removes the block. The cursor is below what stays. */
  close(): void
}

/** How long changes are gathered, in milliseconds. */
const moment = 8

/** Creates a view of what `block` returns. */
export function createView(canvas: Canvas, style: Style, block: () => Block): View {
  let painted: Painted = nothingPainted(canvas.size())
  let above: Line[] = []
  let timer: NodeJS.Timeout | undefined

  const paintNow = (): void => {
    clearTimeout(timer)
    timer = undefined
    const size = canvas.size()
    const { lines, row, column } = block()
    const added = above.flatMap((one) => wrapLine(one, Math.max(4, size.columns - 1), 2))
    above = []
    const next: Painting = {
      lines: lines.map((one) => lineBytes(one, style)),
      widths: lines.map(lineWidth),
      row,
      column,
      size,
      above: added.map((one) => lineBytes(one, style)),
    }
    const bytes = paint(painted, next)
    painted = next
    if (bytes !== '') canvas.write(bytes)
  }

  return {
    add: (lines) => void above.push(...lines),
    refresh: () => {
      timer ??= setTimeout(paintNow, moment)
    },
    close: () => {
      paintNow()
      canvas.write(unpaint(painted, canvas.size()))
    },
  }
}
