/** Hashes of what files hold. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** The hash of a content. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const chunkBytes = 256 * 1024

/** The hash of an open file, read from its start. */
export async function hashOfFile(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
