/** The time axis of a thread: busy is what its spans do, and not what they wait for. */
import { type Columns, spanKinds } from '@loom-agent/telemetry'
import { compressedAxis, type Stretch, type TimeAxis } from '../../axis/compressed-axis.ts'

/** Kinds that hold others or are nothing but waiting: they make no stretch a busy one. */
const idle = new Set<number>((['run', 'turn', 'wait', 'question'] as const).map((kind) => spanKinds.indexOf(kind)))

/** The stretches in which something happens. */
function busyStretches({ kind, start, end }: Columns, last: number): readonly Stretch[] {
  const found: Stretch[] = []
  for (let index = 0; index < start.length; index += 1) {
    const from = start[index] ?? 0
    const close = end[index] ?? -1
    // Of what holds others or waits, the two ends are moments at which something happened.
    if (idle.has(kind[index] ?? -1)) {
      found.push([from, from])
      if (close >= 0) found.push([close, close])
    } else found.push([from, close < 0 ? last : close])
  }
  return found
}

/** Makes the axis of a thread. `last`: its end, in milliseconds after the base of the columns. */
export const timeAxis = (columns: Columns, last: number): TimeAxis => compressedAxis(busyStretches(columns, last), last)
