/** Reading a shortened text back. */
import { headOf, type Shortened } from './shorten.ts'

const mark = /\n\[\.\.\. (?<left>\d+) characters left out(?:: read_more with call (?<call>\d+\.\d+), offset \d+)? \.\.\.\]\n/

/** The parts of a text that was shortened; undefined when it was not: a text that only contains the mark does not have the lengths that shortening gives. */
export function shortenedOf(text: string): Shortened | undefined {
  const found = mark.exec(text)
  if (!found) return undefined
  const head = text.slice(0, found.index)
  const tail = text.slice(found.index + found[0].length)
  if (head.length !== headOf(head.length + tail.length)) return undefined
  return { head, tail, left: Number(found.groups?.['left']), call: found.groups?.['call'] }
}
