/** Where something went wrong next. */
import { type Columns, spanStatuses } from '@loom-agent/telemetry'

const faults = new Set([spanStatuses.indexOf('error'), spanStatuses.indexOf('denied'), spanStatuses.indexOf('lost')])

/** The event of the next fault after a moment, or of the one before it; `undefined` when there is none. */
export function nextFault({ status, to }: Columns, seq: number, direction: 1 | -1): number | undefined {
  let found: number | undefined
  for (const [index, one] of status.entries()) {
    const at = to[index] ?? 0
    if (!faults.has(one) || (at - seq) * direction <= 0) continue
    if (found === undefined || (at - found) * direction < 0) found = at
  }
  return found
}
