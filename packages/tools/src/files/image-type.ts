/** Recognises images that models can look at, by their first bytes: a name says nothing about a content. */

/** The first bytes of each type, in Latin-1; a dot stands for any byte. */
const heads: readonly (readonly [string, string])[] = [
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF8.a'],
  ['image/webp', 'RIFF....WEBP'],
]

/** The media type of an image; undefined when it is none. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 16)).toString('latin1')
  return heads.find(([, bytes]) => Array.from(bytes).every((byte, index) => byte === '.' || byte === text[index]))?.[0]
}
