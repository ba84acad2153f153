/** The marks of the time axis: round times since the start, and the stretches that were made short. */
import type { TimeAxis } from '../../axis/compressed-axis.ts'
import { shortDuration } from '../../figure/figure.ts'
import type { ChartView } from './rectangles.ts'

/** A mark at a pixel. */
export interface Tick {
  readonly x: number
  readonly label: string
}

/** A stretch in which nothing happened, in pixels. */
export interface Gap {
  readonly x: number
  readonly width: number
  readonly label: string
}

const units = [1, 1_000, 60_000, 3_600_000, 86_400_000]
const steps = [1, 2, 5, 10, 15, 20, 30, 50, 100, 200, 500]

/** The shortest round step that is not shorter than a time. */
export function roundStep(ms: number): number {
  if (ms < 1) return 1
  const unit = units.findLast((one) => one <= ms) ?? 1
  const next = units[units.indexOf(unit) + 1] ?? Math.ceil(ms / unit) * unit
  const step = steps.find((one) => one * unit >= ms)
  return Math.min(step === undefined ? next : step * unit, next)
}

/** Round times that are in view, at least `apart` pixels from each other. */
export function ticksOf(axis: TimeAxis, view: ChartView, { width, apart }: { readonly width: number; readonly apart: number }): readonly Tick[] {
  const scale = width / Math.max(Number.EPSILON, view.to - view.from)
  const step = roundStep(apart / scale)
  const found: Tick[] = []
  for (const { from, to, at, length, isGap } of axis.pieces) {
    if (isGap || at > view.to || at + length < view.from) continue
    // Behind a gap the time since the start says nothing any more about what lies between two marks: what follows is counted from there.
    const origin = at === 0 ? 0 : from
    const first = Math.max(from, axis.time(Math.max(at, view.from))) - origin
    const last = Math.min(to, axis.time(Math.min(at + length, view.to))) - origin
    for (let time = Math.ceil(first / step) * step; time <= last; time += step) {
      const x = (axis.place(origin + time) - view.from) * scale
      if (x >= (found.at(-1)?.x ?? -apart) + apart) found.push({ x, label: origin === 0 ? shortDuration(time) : `+${shortDuration(time)}` })
    }
  }
  return found
}

/** The short stretches that are in view. */
export function gapsOf(axis: TimeAxis, view: ChartView, width: number): readonly Gap[] {
  const scale = width / Math.max(Number.EPSILON, view.to - view.from)
  return axis.pieces
    .filter(({ isGap, at, length }) => isGap && at <= view.to && at + length >= view.from)
    .map(({ at, length, from, to }) => ({ x: (at - view.from) * scale, width: length * scale, label: shortDuration(to - from) }))
}
