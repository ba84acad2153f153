/** Options are checked when they are given: an unknown key is a mistake. */
import { LoomError } from '@loom-agent/kernel'
import { adviceFor } from './foreign-names.ts'

/** Refuses keys that are not options, and names the nearest one that is. */
export function checkOptions(what: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    const near = nearest(key, known)
    const hint = adviceFor(key, known) ?? (near === undefined ? `Options of ${what}: ${known.join(', ')}.` : `Did you mean "${near}"?`)
    throw new LoomError('LOOM_OPTION_UNKNOWN', `${what} has no option "${key}". ${hint}`, { context: { what, key } })
  }
}

/** The known word nearest to a word, when it is near enough to be a misspelling. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { candidate, distance }
  }
  return best && best.distance <= Math.max(2, word.length / 3) ? best.candidate : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
