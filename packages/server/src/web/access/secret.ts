/** Secrets: made at random, and kept only as digests. */

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** A secret of 256 bits, as 64 hex digits. */
export const randomSecret = (): string => hex(crypto.getRandomValues(new Uint8Array(32)))

/** The SHA-256 of a text. A secret has 256 random bits, so nothing slower is needed for it. */
export async function digestOf(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** Whether two digests are the same, in a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index % (other.length || 1))
  return difference === 0
}
