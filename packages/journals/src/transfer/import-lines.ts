/**
 * The text of the lines of an import: what comes from outside is JSON as Loom writes it, or is refused before anything else looks at it.
 *
 * IMPORT-8. A line is text that JSON.stringify could have written, nested no deeper and no longer than a bound. So nothing that reads it later can
 *           exhaust the stack, or read another value in it than the next reader: no key is there twice, no number has another form.
 */
import { journalError } from '../storage/failure.ts'
import { broken, type Lines, type Reading } from './import-parts.ts'

/** How long a line may be, in UTF-16 units: a blob of 200 MB fits. */
const longestLine = 2 ** 28
/** How deep values may be nested. */
const deepestLine = 512
/** How many units all lines of an import may have together. */
const longestImport = 2 ** 33

const lineBreaks = /[\u0085\u2028\u2029]/g
/** Lines of earlier versions hold these characters, others their escapes. */
const escaped = (text: string): string => text.replace(lineBreaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The lines of an import, checked; empty ones and line ends do not count. What the source itself throws is passed on. */
export async function* checkedLines(lines: Lines, reading: Reading): AsyncGenerator<string, void> {
  let size = 0
  for await (const given of lines) {
    const line = typeof given === 'string' ? withoutEnd(given) : given
    if (line === '') continue
    const at = { line: reading.line + 1 }
    const problem = problemOf(line)
    if (problem !== undefined) throw broken(at, problem)
    size += line.length
    if (size > longestImport) throw tooLong(at)
    yield line
  }
}

/** A line without its end. Read from behind: a pattern would try every line end inside of it. */
function withoutEnd(line: string): string {
  let end = line.length
  while (line[end - 1] === '\n' || line[end - 1] === '\r') end -= 1
  return line.slice(0, end)
}

function problemOf(line: unknown): string | undefined {
  if (typeof line !== 'string') return 'it is not text'
  if (line.length > longestLine) return `it has ${line.length} characters, and a line may have ${longestLine}`
  if (!line.isWellFormed()) return 'it has half a surrogate pair in it'
  if (isDeep(line)) return `its values are nested deeper than ${deepestLine}`
  try {
    return escaped(JSON.stringify(JSON.parse(line))) === escaped(line) ? undefined : 'it is not JSON as Loom writes it'
  } catch {
    return 'it is not JSON'
  }
}

/** Whether brackets outside of texts are nested too deep. Texts, which may be long, are skipped without looking at each of their characters. */
function isDeep(line: string): boolean {
  let depth = 0
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index)
    if (code === 34) index = endOfText(line, index)
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > deepestLine) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}

/** Where the text that starts at a quote ends; the end of the line if it does not. */
function endOfText(line: string, start: number): number {
  for (let end = line.indexOf('"', start + 1); end !== -1; end = line.indexOf('"', end + 1)) {
    let slashes = 0
    while (line.charCodeAt(end - 1 - slashes) === 92) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return line.length
}

function tooLong({ line }: Reading): Error {
  const message = `The import has more than ${longestImport} characters at line ${line}. Nothing of it was kept. Export fewer threads at a time.`
  return journalError('unusable', message, { context: { line } })
}
