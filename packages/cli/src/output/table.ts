/** Tables that fit into a terminal. */
import type { Terminal } from '../platform/terminal.ts'
import { type Look, styleOf } from './style.ts'
import { visibleLine } from './visible.ts'
import { cutTo, widthOf } from './width.ts'

/** A column of a table. */
export interface Column<Row> {
  /** Its heading. */
  readonly title: string
  /** The text of a row in it. */
  readonly text: (row: Row) => string
  /** How the text stands out. */
  readonly look?: (row: Row) => Look | undefined
  /** Numbers are aligned at their end. */
  readonly align?: 'end'
  /** The column that gives way when a line is too long. */
  readonly isFlexible?: true
}

const gap = 2
/** What a column that gives way keeps. */
const leastFlexible = 12

/** The lines of a table, headings first. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[], terminal: Pick<Terminal, 'columns' | 'hasColour'>): string[] {
  const style = styleOf(terminal)
  const cells = rows.map((row) => columns.map(({ text }) => visibleLine(text(row))))
  const natural = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => widthOf(line[at] ?? ''))))
  const total = natural.reduce((sum, width) => sum + width + gap, -gap)
  const widths = columns.map(({ isFlexible }, at) => {
    const width = natural[at] ?? 0
    return isFlexible && total > terminal.columns ? Math.max(leastFlexible, width - (total - terminal.columns)) : width
  })
  const line = (texts: readonly string[], looks: readonly (Look | undefined)[]): string =>
    texts
      .map((text, at) => {
        const width = widths[at] ?? 0
        const shown = cutTo(text, width)
        const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
        const look = looks[at]
        const styled = look ? style(look, shown) : shown
        return columns[at]?.align === 'end' ? space + styled : styled + (at === texts.length - 1 ? '' : space)
      })
      .join(' '.repeat(gap))
      .trimEnd()
  const heading = line(
    columns.map(({ title }) => title),
    columns.map(() => 'faint'),
  )
  return [heading, ...cells.map((texts, index) => line(texts, looksOf(rows[index] as Row, columns)))]
}

function looksOf<Row>(row: Row, columns: readonly Column<Row>[]): readonly (Look | undefined)[] {
  return columns.map(({ look }) => look?.(row))
}
