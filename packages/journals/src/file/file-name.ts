/**
 * File names that every file system accepts, for the names of threads and blobs.
 *
 * FILENAME-1. Different names get different file names, also where upper and lower case, or composed and decomposed letters, are the same.
 * FILENAME-2. A file name is made of a-z, 0-9, `_`, `-`, `%` and `~`, is at most `longest` characters long, and is not the name of a device on Windows.
 */
import { sha256 } from '../storage/node-crypto.ts'

/** Leaves room for an ending; file systems take 255 bytes. Another limit would not find the files of format 1 again. */
const longest = 140
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** The file name, without an ending, for a name. */
export function fileNameOf(name: string): string {
  const text = name.replace(/[^a-z0-9_-]/g, escaped)
  // No file name may be empty or name a device. No other name starts with an escaped letter.
  if (text === '') return '%'
  if (devices.test(text)) return `${hex(text)}${text.slice(1)}`
  return text.length <= longest ? text : `${text.slice(0, longest - 65)}~${sha256(text)}`
}

/** The name that a file name was made for; undefined if it is none, or was shortened. */
export function nameOf(fileName: string): string | undefined {
  const name = fileName.replace(/%u([0-9a-f]{4})|%([0-9a-f]{2})?/g, (_, unit?: string, byte?: string) => {
    const digits = unit ?? byte
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16))
  })
  return fileNameOf(name) === fileName ? name : undefined
}

/** By code units, so that halves of surrogate pairs stay different. */
function escaped(unit: string): string {
  return unit.charCodeAt(0) < 256 ? hex(unit) : `%u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const hex = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(2, '0')}`
