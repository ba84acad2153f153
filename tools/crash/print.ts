/** What the command prints while it works. */

/** How long something took. */
export const seconds = (since: number): string => `${Math.round((performance.now() - since) / 1000)} s`

/** Prints progress: in place on a terminal, now and then elsewhere. */
export function progressOf(what: string): (text: string) => void {
  let last = performance.now()
  return (text) => {
    if (process.stdout.isTTY) return void process.stdout.write(`\r${what}: ${text}\u001b[K`)
    if (performance.now() - last < 10_000) return
    last = performance.now()
    console.log(`${what}: ${text}`)
  }
}

/** Prints the result of one part. */
export function printResult(what: string, text: string): void {
  console.log(`${process.stdout.isTTY ? '\r' : ''}${what}: ${text}${process.stdout.isTTY ? '\u001b[K' : ''}`)
}
