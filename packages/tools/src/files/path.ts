/** Checks paths that models give: relative to the root, with /. Only the text is checked, before any access to the file system. */
import { forbidden, refusal } from './refusal.ts'

/** Characters that hide what a path is: control characters, invisible ones, and marks that change the writing direction. */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/u
const longestPath = 4096
const longestName = 255
/** Names that are devices on Windows, whatever their ending. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i

/** The names along a path, from the root. Refuses everything that could lead out of it. */
export function segmentsOf(path: string): readonly string[] {
  if (hidden.test(path)) throw forbidden(path, 'The path has a NUL, a control or an invisible character. Give it in visible characters.')
  if (!path.isWellFormed()) throw forbidden(path, 'The path is not well-formed text. Give it in whole characters.')
  if (path.length > longestPath) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `The path has ${path.length} characters; ${longestPath} are allowed.`)
  if (/^[A-Za-z]:/.test(path) || path.includes('\\')) {
    throw forbidden(path, `${path} is a Windows path. Give a path relative to the root, with / between names.`)
  }
  if (path.startsWith('/')) throw forbidden(path, `${path} is absolute. Give a path relative to the root, such as docs/notes.txt.`)
  if (/^~(?:\/|$)/.test(path)) throw forbidden(path, `${path} is in a home folder. Give a path relative to the root.`)
  const segments: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') segments.push(checkedName(name, path))
    else if (segments.pop() === undefined) throw forbidden(path, `${path} leads out of the root. Give a path without .. in front.`)
  }
  return segments
}

function checkedName(name: string, path: string): string {
  if (Buffer.byteLength(name) > longestName) throw refusal('LOOM_TOOL_INPUT_INVALID', path, `A name of the path is longer than ${longestName} bytes.`)
  const isOdd = devices.test(name) || /[<>:"|?*]/.test(name) || /[. ]$/.test(name)
  if (process.platform === 'win32' && isOdd) throw forbidden(path, `${name} is no file name on this system. Give another path.`)
  return name
}
