/** Forged lines of exports, each with a hash that fits. */

import { sealLine } from '../src/file/line.ts'
import { chainLink, chainStart } from '../src/storage/chain.ts'

/** Seals lines as exports of format 1 were. */
export function sealFormat1(): (text: string) => string {
  let hash = chainStart('')
  return (text) => {
    hash = chainLink(hash, text)
    return `{"hash":"${hash}",${text.slice(1)}`
  }
}

/** Seals lines of one thread in format 2; each comes with the head that it claims. */
export function sealFormat2(thread: string): (text: string, head: readonly [seq: number, epoch: number]) => string {
  let chain = chainStart(thread)
  return (text, [seq, epoch]) => {
    const { line, hash } = sealLine(chain, text, { seq, epoch, joined: false })
    chain = hash
    return line
  }
}
