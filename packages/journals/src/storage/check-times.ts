/** Checks options that are times. */
import { LoomError } from '@loom-agent/kernel'

/** Refuses times that are not numbers of milliseconds from 1 on. What is undefined has a default. */
export function checkTimes(where: string, times: Readonly<Record<string, number | undefined>>): void {
  for (const [option, value] of Object.entries(times)) {
    if (value === undefined || (typeof value === 'number' && value >= 1)) continue
    throw new LoomError('LOOM_OPTION_INVALID', `${where}: ${option} is a number of milliseconds from 1 on, not ${JSON.stringify(value)}.`, {
      context: { option },
    })
  }
}
