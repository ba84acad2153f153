/** What people write in options. */
import { LoomError } from '@loom-agent/kernel'

/** The error for an option that is given something else than it takes. */
export function wrongOption(option: string, given: string, advice: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', `${option} is ${JSON.stringify(given)}. ${advice}`, { context: { option, given } })
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration such as `90s`, `15m`, `24h` or `7d`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6})(s|m|h|d)$/.exec(text) ?? []
  if (digits === undefined) throw wrongOption(option, text, 'Write a number and s, m, h or d, such as 24h.')
  return Number(digits) * (units[unit] ?? 1)
}

/** Reads a whole number that is at least 1. */
export function parseCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongOption(option, text, 'Write a whole number from 1 on.')
  return Number(text)
}

/** Reads the number of a port; 0 is any that is free. */
export function parsePort(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw wrongOption(option, text, 'Write a number from 0 to 65535.')
  return Number(text)
}

/** Reads JSON of an option, or of a file. */
export function parseJson(what: string, text: string, advice: string = `Quote it for the shell: '{"a": 1}'.`): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const message = `${what} is not JSON: ${problem}. ${advice}`
    throw new LoomError('LOOM_OPTION_INVALID', message, { cause: error, context: { what } })
  }
}
