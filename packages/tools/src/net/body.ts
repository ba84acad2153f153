/**
 * The body of a reply, within its bounds.
 *
 * RESPONSE-1. What is kept of a body never exceeds the bound, whatever the headers say; what is longer is cut, and the connection is closed.
 * RESPONSE-2. A compressed body that grows by more than a factor is refused: it is made to exhaust its reader.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { failed, forbidden } from './refusal.ts'

/** What was read of a body. */
export interface Body {
  readonly bytes: Buffer
  /** Whether there is more than was read. */
  readonly isCut: boolean
}

/** How many times larger than on the wire a body may become, once it is larger than `small`. */
const mostGrowth = 100
const small = 256 * 1024

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

/** Reads a body, uncompressed. */
export async function readBody(reply: IncomingMessage, url: string, most: number): Promise<Body> {
  const encoding = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = encoding === 'identity' || encoding === '' ? undefined : decoders[encoding]?.()
  if (encoding !== 'identity' && encoding !== '' && !decoder) {
    reply.destroy()
    throw failed(url, `The reply is compressed in a way that cannot be read (${encoding.slice(0, 40)}). Use another address.`)
  }
  let onWire = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onWire += chunk.length
      done(null, chunk)
    },
  })
  const last = decoder ?? meter
  // What goes wrong on the way ends the last stream, which is the one that is read.
  const ended = (error: Error | null | undefined): void => void (error && last.destroy(error))
  if (decoder) pipeline(reply, meter, decoder, ended)
  else pipeline(reply, meter, ended)
  return collect(last, most, (size) => {
    if (size <= small || size <= onWire * mostGrowth) return
    throw forbidden(url, `The reply grows from ${onWire} to more than ${size} bytes when it is uncompressed. Use another address.`)
  })
}

async function collect(stream: Transform, most: number, check: (size: number) => void): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      check(size)
      chunks.push(chunk)
      if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: true }
    }
  } finally {
    stream.destroy()
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}
