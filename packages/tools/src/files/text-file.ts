/**
 * Text in files: which encoding it has, and back.
 *
 * ENCODING-1. What is decoded whole is encoded again to the same bytes.
 */

/** How the text of a file is encoded. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'

/** The form of a text file. */
export interface TextForm {
  readonly encoding: Encoding
  /** Bytes of the mark at its start. */
  readonly markBytes: number
}

/** A text, and the form that it had in its file. */
export interface DecodedText {
  readonly text: string
  readonly form: TextForm
}

const marks: readonly (readonly [readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The form by the first bytes: by their mark, or UTF-8 unless there is a NUL; undefined when it is no text. */
export function formOf(head: Uint8Array): TextForm | undefined {
  for (const [mark, encoding] of marks) {
    if (mark.every((byte, index) => head[index] === byte)) return { encoding, markBytes: mark.length }
  }
  return head.includes(0) ? undefined : { encoding: 'utf-8', markBytes: 0 }
}

/** Latin-1, in which every byte is a character. */
export const latin1: TextForm = { encoding: 'latin1', markBytes: 0 }

/** Control characters that texts have: backspace, tab, ends of lines and of pages, escape. */
const textControls = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** Whether bytes that are no UTF-8 may be text of one byte for each character. */
export const mayBeLatin1 = (bytes: Uint8Array): boolean => bytes.every((byte) => (byte < 0x20 ? textControls.has(byte) : byte !== 0x7f))

/** Decodes chunk by chunk; `undefined` for the end. Throws where a chunk does not have the encoding. */
export function createDecoder({ encoding }: TextForm): (chunk: Uint8Array | undefined) => string {
  if (encoding === 'latin1') return (chunk) => (chunk ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1') : '')
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode())
}

/** Decodes a whole file; undefined when it is no text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const form = formOf(bytes)
  if (!form) return undefined
  const decoded = decodeAs(form, bytes)
  if (decoded !== undefined) return { text: decoded, form }
  return form.markBytes === 0 && mayBeLatin1(bytes) ? { text: decodeAs(latin1, bytes) ?? '', form: latin1 } : undefined
}

function decodeAs(form: TextForm, bytes: Uint8Array): string | undefined {
  try {
    const decode = createDecoder(form)
    return decode(bytes.subarray(form.markBytes)) + decode(undefined)
  } catch {
    return undefined
  }
}

/** Encodes a text in the form that a file had; undefined when the form has no bytes for some of its characters. */
export function encodeText({ text, form }: DecodedText): Buffer | undefined {
  const { encoding, markBytes } = form
  if (encoding === 'latin1') return /[\u0100-\u{10ffff}]/u.test(text) ? undefined : Buffer.from(text, 'latin1')
  const body = encoding === 'utf-8' ? Buffer.from(text, 'utf8') : Buffer.from(text, 'utf16le')
  const mark = marks.find(([bytes, of]) => of === encoding && bytes.length === markBytes)?.[0] ?? []
  return Buffer.concat([Buffer.from(mark), encoding === 'utf-16be' ? body.swap16() : body])
}
