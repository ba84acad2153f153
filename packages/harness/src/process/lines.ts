/** Lines from a process that may die in the middle of one: an incomplete line is dropped. */
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
  // A killed peer resets the connection: that is how the stream ends.
  stream.on('error', () => {})
}
