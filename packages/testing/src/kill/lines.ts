/** Lines from a process that may die in the middle of one: what has no end was not said. */
import type { Readable } from 'node:stream'

/** Calls back with each whole line. */
export function onLines(stream: Readable, each: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) each(line)
  })
  // A reader whose peer was killed hears of a reset connection: that is how it ends.
  stream.on('error', () => {})
}
