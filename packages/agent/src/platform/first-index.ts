/** Where the first item is that does not come before what is looked for, found by bisection: nobody who comes back scans the past. */
export function firstIndex<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(sorted[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}
