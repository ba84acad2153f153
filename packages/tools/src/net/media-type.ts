/** What kind of body a reply has, and its text. */
import type { Reply } from './client.ts'

/** A body by what can be done with it. */
export type Media =
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
  | { readonly kind: 'image'; readonly type: string }
  | { readonly kind: 'binary'; readonly type: string }

const texts = /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|javascript|ecmascript|x-ndjson|x-www-form-urlencoded|yaml|x-yaml|toml|graphql|sql))$/
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** How much of a page is looked at for what it says about itself. */
const looked = 1024

/** What kind of body a reply has. What says nothing about itself, or calls binary data text, is judged by its bytes. */
export function mediaOf({ headers, bytes }: Pick<Reply, 'headers' | 'bytes'>): Media {
  const declared = headers['content-type'] ?? ''
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  if (images.has(type)) return isImage(type, bytes) ? { kind: 'image', type } : { kind: 'binary', type }
  const charset = byteOrderMark(bytes) ?? charsetIn(declared) ?? (type.includes('html') ? charsetOfPage(bytes) : undefined)
  const isWide = charset?.startsWith('utf-16') === true
  const isText = (type === '' || type === 'application/octet-stream' || texts.test(type) || type.endsWith('+xml')) && (isWide || !hasNul(bytes))
  if (!isText) return { kind: 'binary', type: type || 'unknown type' }
  return { kind: 'text', type: type || 'text/plain', text: decoded(bytes, charset) }
}

const hasNul = (bytes: Buffer): boolean => bytes.subarray(0, 8 * looked).includes(0)

const signatures: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['89504e47'],
  'image/jpeg': ['ffd8ff'],
  'image/gif': ['47494638'],
  'image/webp': ['52494646'],
}

/** Whether bytes begin as such an image does: a type that is not true is not passed on. */
const isImage = (type: string, bytes: Buffer): boolean =>
  (signatures[type] ?? []).some((signature) => bytes.subarray(0, 4).toString('hex').startsWith(signature))

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const charsetIn = (text: string): string | undefined => /charset\s*=\s*["']?([a-z0-9_:.-]{1,40})/i.exec(text)?.[1]?.toLowerCase()

const charsetOfPage = (bytes: Buffer): string | undefined => {
  const tag = /<meta[^>]{0,200}charset[^>]{0,200}>/i.exec(bytes.subarray(0, looked).toString('latin1'))?.[0]
  return tag === undefined ? undefined : charsetIn(tag)
}

/** The text of bytes. A character set that is not known is read as UTF-8; bytes that are none become replacement characters. */
function decoded(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
