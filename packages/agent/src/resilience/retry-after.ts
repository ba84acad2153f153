/** How long an error asks to wait. Providers have three ways to ask, and some of them send empty values. */
import { isLoomError } from '@loom-agent/kernel'

type Headers = { readonly get: (name: string) => string | null } | { readonly [name: string]: unknown }

interface WaitingError {
  readonly retryAfterMs?: unknown
  readonly retryAfter?: unknown
  readonly responseHeaders?: unknown
  readonly headers?: unknown
  readonly response?: { readonly headers?: unknown } | null
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Milliseconds that an error asks to wait; undefined when it asks for nothing that can be understood.
 *
 * What is named `retryAfter` follows the HTTP header (seconds, or a date), what ends in `Ms` is milliseconds. Headers are looked for where
 * AI SDK errors, fetch responses and HTTP clients keep them.
 */
export function retryAfterOf(error: unknown, now: number): number | undefined {
  if (!isObject(error)) return undefined
  const said: WaitingError = isLoomError(error) ? error.context : error
  const own = milliseconds(said.retryAfterMs) ?? secondsOrDate(said.retryAfter, now)
  if (own !== undefined) return own
  for (const headers of [said.responseHeaders, said.headers, said.response?.headers]) {
    if (!isObject(headers)) continue
    const asked = milliseconds(header(headers as Headers, 'retry-after-ms')) ?? secondsOrDate(header(headers as Headers, 'retry-after'), now)
    if (asked !== undefined) return asked
  }
  return undefined
}

function header(headers: Headers, name: string): unknown {
  if (typeof headers.get === 'function') return headers.get(name)
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name)
  return key === undefined ? undefined : (headers as { readonly [name: string]: unknown })[key]
}

/** Present but null, blank, negative or no number counts as absent. */
function milliseconds(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined
}

function secondsOrDate(value: unknown, now: number): number | undefined {
  const seconds = milliseconds(value)
  if (seconds !== undefined) return seconds * 1000
  // Without a letter it is no date: the platform would read "-5" as one.
  const date = value instanceof Date ? value.getTime() : typeof value === 'string' && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
