/** A terminal as a picture: what it shows, cell by cell. */
import type { Terminal } from '@xterm/headless'

const cell = { width: 8.4, height: 18 } as const
const margin = 12

const colours: Readonly<Record<number, string>> = { 1: '#ff7b72', 2: '#7ee787', 3: '#e3b341', 4: '#79c0ff' }
const paper = '#0d1117'
const ink = '#c9d1d9'

/** What people hear who do not see the picture; the page says the rest. */
const title = 'loom chat in a terminal'

/** Cells of one look that follow each other. */
interface Piece {
  readonly column: number
  readonly look: string
  text: string
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A picture of what a terminal shows now, with the rows above the last that is not empty. */
export function pictureOf(terminal: Terminal, change: (row: string) => string): string {
  const { active } = terminal.buffer
  const rows = Array.from({ length: terminal.rows }, (_, row) => piecesOf(terminal, active.baseY + row, change))
  const used = rows.findLastIndex((pieces) => pieces.some(({ text }) => text.trim() !== '')) + 1
  const [width, height] = [Math.ceil(terminal.cols * cell.width) + 2 * margin, used * cell.height + 2 * margin]
  const texts = rows.slice(0, used).flatMap((pieces, row) =>
    pieces
      .filter(({ text }) => text.trim() !== '')
      .map(({ column, look, text }) => {
        const [x, y] = [(margin + column * cell.width).toFixed(1), margin + row * cell.height + 13]
        return `<text x="${x}" y="${y}"${look} xml:space="preserve">${escaped(text)}</text>`
      }),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="100%" height="100%" rx="6" fill="${paper}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="${ink}">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function piecesOf(terminal: Terminal, row: number, change: (row: string) => string): readonly Piece[] {
  const line = terminal.buffer.active.getLine(row)
  const pieces: Piece[] = []
  for (let column = 0; line && column < terminal.cols; column += 1) {
    const at = line.getCell(column)
    if (!at || at.getWidth() === 0) continue
    const colour = at.isFgPalette() ? colours[at.getFgColor()] : undefined
    const look = `${colour === undefined ? '' : ` fill="${colour}"`}${at.isBold() ? ' font-weight="bold"' : ''}${at.isDim() ? ' opacity="0.65"' : ''}`
    const last = pieces.at(-1)
    if (last?.look === look) last.text += at.getChars() || ' '
    else pieces.push({ column, look, text: at.getChars() || ' ' })
  }
  return pieces.map((piece) => ({ ...piece, text: change(piece.text.trimEnd()) }))
}
