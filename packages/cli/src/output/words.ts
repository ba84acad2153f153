/** Numbers as people read them. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A duration in one or two units. */
export function durationWords(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < minute) return `${(ms / second).toFixed(1)} s`
  const parts = ms < hour ? ([ms / minute, 'min', (ms % minute) / second, 's'] as const) : ([ms / hour, 'h', (ms % hour) / minute, 'min'] as const)
  if (ms >= 2 * day) return `${Math.floor(ms / day)} d`
  return `${Math.floor(parts[0])} ${parts[1]} ${Math.floor(parts[2])} ${parts[3]}`
}

/** How long ago a moment was. */
export function ago(time: number, now: number): string {
  return time === 0 ? 'unknown' : `${durationWords(Math.max(0, now - time))} ago`
}

/** A count of tokens in few characters. */
export function tokenWords(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  return tokens < 1_000_000 ? `${(tokens / 1_000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`
}

/** An amount of integer micro-units, as the price tables have them: millionths of a dollar. */
export function costWords(cost: number, unpriced = 0): string {
  const amount = `$${(cost / 1_000_000).toFixed(cost >= 10_000 ? 2 : 4)}`
  return unpriced === 0 ? amount : cost === 0 ? 'price unknown' : `>= ${amount}`
}

/** So many of something. */
export const counted = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`
