/** Figures as people read them: the same in every view, and the same as the command line prints. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A duration in one or two units. */
export function duration(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < minute) return `${(ms / second).toFixed(1)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`
  return `${Math.floor(ms / day)} d`
}

/** A duration in one unit, for ticks and marks. */
export function shortDuration(ms: number): string {
  if (ms < second) return `${trimmed(ms)} ms`
  if (ms < minute) return `${trimmed(ms / second)} s`
  if (ms < hour) return `${trimmed(ms / minute)} min`
  return ms < 2 * day ? `${trimmed(ms / hour)} h` : `${trimmed(ms / day)} d`
}

const trimmed = (value: number): string => String(Number(value.toPrecision(3)))

/** A count of tokens in few characters. */
export function tokens(count: number): string {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

/** Integer micro-units as dollars: what is known, and whether there is more. */
export function cost(micro: number, unpriced = 0): string {
  const amount = `$${(micro / 1_000_000).toFixed(micro >= 10_000 || micro === 0 ? 2 : 4)}`
  if (unpriced === 0) return amount
  return micro === 0 ? '—' : `≥ ${amount}`
}

/** A whole number with separators. */
export const whole = (count: number): string => count.toLocaleString('en-US')

/** A size in bytes. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A moment in local time: the time of a day, with the date where it is another day than `now`. */
export function clock(time: number, now: number): string {
  const at = new Date(time)
  const of = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return new Date(now).toDateString() === at.toDateString()
    ? of
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${of.slice(0, 5)}`
}
