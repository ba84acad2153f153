/** Draws the chart: threads as lines, turns as stitches, work as bars that differ in shape as well. */
import { spanAt } from '@loom-agent/telemetry'
import type { Palette } from './palette.ts'
import type { Chart, ChartView, Rectangle } from './rectangles.ts'
import { type Gap, gapsOf, type Tick, ticksOf } from './ticks.ts'

/** What is drawn. */
export interface Drawing {
  readonly chart: Chart
  readonly view: ChartView
  readonly rectangles: readonly Rectangle[]
  readonly width: number
  readonly height: number
  /** The span that is selected; -1 without one. */
  readonly selected: number
  /** Where the moment stands, in pixels; `undefined` at the end. */
  readonly momentX: number | undefined
}

/** The canvas and its colours. */
export interface Brush {
  readonly to: CanvasRenderingContext2D
  readonly palette: Palette
}

/** Pixels of the ruler above the rows. */
export const ruler = 20

const pad = 2

/** Draws everything. */
export function draw(brush: Brush, drawing: Drawing): void {
  const { to, palette } = brush
  const { width, height, rectangles, chart, view, selected, momentX } = drawing
  to.clearRect(0, 0, width, height)
  to.font = palette.font
  to.textBaseline = 'middle'
  const gaps = gapsOf(chart.axis, view, width)
  for (const gap of gaps) drawGap(brush, gap, height)
  drawTicks(brush, ticksOf(chart.axis, view, { width, apart: 88 }), { height, gaps })
  for (const rectangle of rectangles) drawSpan(brush, drawing, rectangle)
  if (momentX !== undefined) {
    to.fillStyle = palette.veil
    to.fillRect(momentX, ruler, width - momentX, height - ruler)
    to.fillStyle = palette.accent
    to.fillRect(Math.round(momentX) - 1, 0, 2, height)
  }
  const mark = rectangles.find(({ index }) => index === selected)
  if (mark) outline(brush, mark)
}

function outline({ to, palette }: Brush, { x, width, row }: Rectangle): void {
  to.strokeStyle = palette.accent
  to.lineWidth = 2
  to.strokeRect(x + 1, ruler + row * palette.lane + 1, Math.max(2, width - 2), palette.lane - 2)
}

function drawGap({ to, palette }: Brush, { x, width, label }: Gap, height: number): void {
  to.fillStyle = palette.sunken
  to.fillRect(x, 0, width, height)
  to.strokeStyle = palette.strong
  to.lineWidth = 1
  to.setLineDash([2, 2])
  for (const edge of [x, x + width]) line(to, [edge, 0], [edge, height])
  to.setLineDash([])
  const long = to.measureText(label).width
  if (long > width - 4) return
  to.fillStyle = palette.soft
  to.fillText(label, x + (width - long) / 2, ruler / 2)
}

function line(to: CanvasRenderingContext2D, [x, y]: readonly [number, number], [x2, y2]: readonly [number, number]): void {
  to.beginPath()
  to.moveTo(Math.round(x) + 0.5, y)
  to.lineTo(Math.round(x2) + 0.5, y2)
  to.stroke()
}

function drawTicks(
  { to, palette }: Brush,
  ticks: readonly Tick[],
  { height, gaps }: { readonly height: number; readonly gaps: readonly Gap[] },
): void {
  for (const { x, label } of ticks) {
    to.strokeStyle = palette.line
    to.lineWidth = 1
    line(to, [x, 0], [x, height])
    const end = x + 4 + to.measureText(label).width
    if (gaps.some((gap) => end > gap.x && x < gap.x + gap.width)) continue
    to.fillStyle = palette.faint
    to.fillText(label, x + 4, ruler / 2)
  }
}

/** Draws one span in the shape of its category. */
function drawSpan(brush: Brush, drawing: Drawing, rectangle: Rectangle): void {
  const { to, palette } = brush
  const { x, width, row, category, isFault, isOpen, count } = rectangle
  const { lane } = palette
  const top = ruler + row * lane
  if (category === 'frame') drawThread(brush, drawing, rectangle)
  else {
    to.fillStyle = palette.category[category]
    const shape = width < 6 ? fill : shapes[category]
    shape(brush, { x, y: top + pad, width: Math.max(1, width - (width > 3 ? 1 : 0)), height: lane - 2 * pad })
    if (count === 1 && width > 28) label(brush, drawing, rectangle)
  }
  if (isFault && category !== 'frame') {
    to.fillStyle = palette.fault
    to.fillRect(x, top + lane - pad - 3, Math.max(2, width - 1), 3)
  }
  if (isOpen && category !== 'frame' && width > 4) {
    to.fillStyle = palette.ink
    to.fillRect(x + width - 2, top + pad, 2, lane - 2 * pad)
  }
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const fill = ({ to }: Brush, { x, y, width, height }: Box): void => to.fillRect(x, y, width, height)

const shapes = {
  model: fill,
  // A thick left edge: what was called.
  tool: (brush: Brush, box: Box): void => {
    fill(brush, box)
    brush.to.fillStyle = brush.palette.onCategory
    brush.to.fillRect(box.x, box.y, 3, box.height)
  },
  // Half the height: a part of a call.
  step: (brush: Brush, { x, y, width, height }: Box): void => fill(brush, { x, y: y + height / 4, width, height: height / 2 }),
  // An outline with bars: nobody works, somebody is waited for.
  people: ({ to, palette }: Brush, { x, y, width, height }: Box): void => {
    to.strokeStyle = palette.category.people
    to.lineWidth = 2
    to.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2)
    to.save()
    to.beginPath()
    to.rect(x, y, width, height)
    to.clip()
    to.lineWidth = 2
    for (let at = x - (x % 8); at < x + width; at += 8) line(to, [at, y], [at, y + height])
    to.restore()
  },
  // Two lines: another thread runs here.
  child: ({ to }: Brush, { x, y, width, height }: Box): void => {
    to.fillRect(x, y, width, 4)
    to.fillRect(x, y + height - 4, width, 4)
  },
  // A weave.
  context: ({ to, palette }: Brush, { x, y, width, height }: Box): void => {
    to.fillRect(x, y, width, height)
    to.strokeStyle = palette.ground
    to.lineWidth = 1
    for (let at = 4; at < width; at += 4) line(to, [x + at, y], [x + at, y + height])
    for (let at = 4; at < height; at += 4) line(to, [x, y + at + 0.5], [x + width, y + at + 0.5])
  },
} as const

/** A run is a line with its name above; a turn is a stitch. */
function drawThread(brush: Brush, { chart }: Drawing, { x, width, row, index, isFault, isOpen, count }: Rectangle): void {
  const { to, palette } = brush
  const top = ruler + row * palette.lane
  const { kind, name } = spanAt(chart.columns, index)
  const isRun = kind === 'run'
  to.fillStyle = isFault ? palette.fault : isRun ? palette.ink : palette.strong
  const thick = isRun ? 2 : 4
  const y = isRun ? top + palette.lane - 4 : top + palette.lane / 2 - 2
  to.fillRect(x, y, Math.max(1, width - (isRun ? 0 : 2)), thick)
  if (isRun) {
    to.fillRect(x, y - 3, 2, 8)
    if (!isOpen) to.fillRect(x + width - 2, y - 3, 2, 8)
  }
  if (count > 1 || width < 40) return
  to.fillStyle = palette.ink
  if (isRun) write(to, name, { x: x + 6, y: top + palette.lane / 2 - 3, width: width - 8 })
}

function label({ to, palette }: Brush, { chart }: Drawing, { x, width, row, index, category }: Rectangle): void {
  const y = ruler + row * palette.lane + palette.lane / 2 + 0.5
  const isOutline = category === 'people' || category === 'child' || category === 'context'
  const text = spanAt(chart.columns, index).name
  if (isOutline) {
    const long = Math.min(to.measureText(text).width, width - 10)
    if (width < 48) return
    to.fillStyle = palette.ground
    to.fillRect(x + 4, y - 6, long + 4, 12)
  }
  to.fillStyle = isOutline ? palette.ink : palette.onCategory
  write(to, text, { x: x + 6, y, width: width - 10 })
}

/** Writes a text, cut where there is no more room. */
function write(to: CanvasRenderingContext2D, text: string, { x, y, width }: Omit<Box, 'height'>): void {
  if (to.measureText(text).width <= width) return to.fillText(text, x, y)
  for (let length = Math.min(text.length - 1, Math.floor(width / 4)); length > 1; length -= 1) {
    const cut = `${text.slice(0, length)}…`
    if (to.measureText(cut).width <= width) return to.fillText(cut, x, y)
  }
}
