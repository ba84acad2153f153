/** The rows that a text takes while it is written, and where its cursor is. Pure. */
import { visibleLine } from '../output/visible.ts'
import { placesOf, signsOf, widthOf } from '../output/width.ts'
import type { Editor } from './editor.ts'

/** The rows of what is written, and where the cursor is in them. */
export interface EditorRows {
  readonly rows: readonly string[]
  readonly row: number
  readonly column: number
}

/** Lays a text out in rows of a width. At most so many rows around the cursor are returned. */
export function layOut({ text, cursor }: Pick<Editor, 'text' | 'cursor'>, width: number, most: number): EditorRows {
  const rows: string[] = ['']
  let found: readonly [row: number, column: number] | undefined
  let used = 0
  let place = 0
  for (const sign of signsOf(text)) {
    const isBreak = sign === '\n'
    const shown = isBreak ? '' : visibleLine(sign)
    const places = shown === sign ? placesOf(sign) : widthOf(shown)
    if (used + places > width && used > 0) {
      rows.push('')
      used = 0
    }
    if (place >= cursor) found ??= [rows.length - 1, used]
    place += sign.length
    rows[rows.length - 1] += shown
    used += places
    if (!isBreak) continue
    rows.push('')
    used = 0
  }
  const [row, column] = found ?? [rows.length - 1, used]
  const first = Math.max(0, Math.min(row, rows.length - most))
  const from = row >= first + most ? row - most + 1 : first
  return { rows: rows.slice(from, from + most), row: row - from, column: Math.min(column, width) }
}
