/** Searches the content of files. */
import { join } from 'node:path'
import { openRegular } from './confinement.ts'
import { type FindBounds, type FindInput, type FoundFile, findFiles, type Notes, noteLines } from './find-files.ts'
import { compileGlob, type PathMatcher } from './glob-pattern.ts'
import { isJournalHead, type JournalPaths } from './journal-files.ts'
import { refusal, refusalOf } from './refusal.ts'
import { type GrepLine, type GrepQuery, ripgrep, type SearchedFile } from './ripgrep.ts'
import { formOf } from './text-file.ts'

/** The input of `grep`. */
export interface GrepInput extends FindInput {
  readonly pattern: string
  readonly glob?: string
  readonly literal?: boolean
  readonly ignore_case?: boolean
  readonly context?: number
  readonly max_results?: number
}

/** The limits of a search. */
export interface GrepBounds extends FindBounds {
  readonly journals: JournalPaths
  /** Characters of the result at most. */
  readonly maxBytes: number
}

const defaultResults = 100
/** Files that are open at once. */
const batchSize = 100
/** Files that are larger are left out. */
const largestFile = 8 * 1024 * 1024
const headBytes = 1024
const longestLine = 300

interface Collected {
  readonly lines: string[]
  matches: number
  characters: number
  /** Whether a bound of the result was reached. */
  isFull: boolean
}

/** The lines that match, as `path:line: text`; lines around them as `path-line- text`. */
export async function grepFiles(input: GrepInput, bounds: GrepBounds): Promise<string> {
  if (/[\0\n\r]/u.test(input.pattern))
    throw refusal('LOOM_TOOL_INPUT_INVALID', input.path ?? '.', 'The pattern has a line break or a NUL. Search for one line.')
  const { literal = false, ignore_case: ignoreCase = false, context = 0, max_results: most = defaultResults } = input
  const query: GrepQuery = { pattern: input.pattern, literal, ignoreCase, context, most: most + 1 }
  const notes: Notes = { secrets: [], others: new Set() }
  const collected: Collected = { lines: [], matches: 0, characters: 0, isFull: false }
  const found = findFiles(input, bounds, notes)
  const matches = input.glob === undefined ? () => true : compileGlob(input.glob)
  try {
    for (let isDone = false; !isDone && !collected.isFull; ) {
      const batch = await nextBatch(found, { matches, bounds, notes })
      isDone = batch.length < batchSize
      try {
        // An empty run tells whether the pattern is valid.
        if (batch.length > 0 || collected.lines.length === 0) await search(query, batch, { collected, bounds, notes, most })
      } finally {
        await Promise.all(batch.map(({ handle }) => handle.close()))
      }
    }
  } finally {
    await found.return(undefined)
  }
  return [...(collected.lines.length === 0 ? ['No line matches.'] : collected.lines), ...noteLines(notes)].join('\n')
}

interface Batching {
  readonly matches: PathMatcher
  readonly bounds: GrepBounds
  readonly notes: Notes
}

/** Opens the next files that can be searched. */
async function nextBatch(found: AsyncGenerator<readonly FoundFile[]>, { matches, bounds, notes }: Batching): Promise<readonly SearchedFile[]> {
  const batch: SearchedFile[] = []
  try {
    while (batch.length < batchSize) {
      const { done, value } = await found.next()
      if (done) break
      const opened = await Promise.allSettled(value.filter(({ below }) => matches(below)).map((file) => openSearched(file, bounds)))
      batch.push(...opened.flatMap((each) => (each.status === 'fulfilled' && each.value && 'handle' in each.value ? [each.value] : [])))
      for (const each of opened) {
        if (each.status === 'rejected') throw each.reason
        if (each.value && 'secret' in each.value) notes.secrets.push(each.value.secret)
        else if (each.value && 'note' in each.value) notes.others.add(each.value.note)
      }
    }
    return batch
  } catch (error) {
    await Promise.all(batch.map(({ handle }) => handle.close()))
    throw error
  }
}

/** A file that is not searched: because it may hold secrets, or for another reason that is noted. */
type LeftOut = { readonly secret: string } | { readonly note: string }

/** Opens a file, unless it is a secret, a journal, binary, or too large. */
async function openSearched({ folder, name, segments, secret }: FoundFile, bounds: GrepBounds): Promise<SearchedFile | LeftOut | undefined> {
  const shown = segments.join('/')
  if (secret !== undefined) return { secret: shown }
  const opened = await openRegular(folder, name, shown).catch((error: unknown) => refusalOf(error, shown).message)
  if (typeof opened === 'string') return { note: `${shown} could not be opened: ${opened}` }
  const file: SearchedFile = { handle: opened, real: join(folder.real, name), shown }
  let isKept = false
  try {
    const left = await leftOutBy(file, bounds)
    isKept = left === undefined
    return left === undefined ? file : left === '' ? undefined : { note: `${shown} was left out: ${left}` }
  } finally {
    if (!isKept) await opened.close()
  }
}

/** Why an open file is not searched: undefined when it is, and nothing to say of one that is binary. */
async function leftOutBy({ handle, real }: SearchedFile, bounds: GrepBounds): Promise<string | undefined> {
  if ((await handle.stat()).size > largestFile) return `it has more than ${largestFile} bytes`
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const head = buffer.subarray(0, bytesRead)
  if (isJournalHead(head) || (await bounds.journals.covers(real))) return 'it belongs to a database or a journal'
  return formOf(head) ? undefined : ''
}

interface Searching {
  readonly collected: Collected
  readonly bounds: GrepBounds
  readonly notes: Notes
  /** Matches of the result at most. */
  readonly most: number
}

async function search(query: GrepQuery, batch: readonly SearchedFile[], { collected, bounds, notes, most }: Searching): Promise<void> {
  const { lines, isCut } = await ripgrep(query, batch, bounds.signal)
  if (isCut) notes.others.add('there were more matches than can be read: search for less')
  let last: GrepLine | undefined
  for (const line of lines) {
    if (line.isMatch && collected.matches >= most)
      return full(collected, notes, `the first ${most} matches; there are more: search a folder below, or raise max_results`)
    const isApart = query.context > 0 && collected.lines.length > 0 && (last?.file !== line.file || last.line + 1 !== line.line)
    const text = `${isApart ? '--\n' : ''}${lineText(line, batch[line.file]?.shown ?? '')}`
    if (collected.characters + text.length > bounds.maxBytes) return full(collected, notes, 'there are more matches than fit here: search for less')
    collected.lines.push(text)
    collected.characters += text.length + 1
    collected.matches += line.isMatch ? 1 : 0
    last = line
  }
}

function full(collected: Collected, { others }: Notes, note: string): void {
  collected.isFull = true
  others.add(note)
}

function lineText({ line, text, isMatch }: GrepLine, path: string): string {
  const mark = isMatch ? ':' : '-'
  const cut = text.length > longestLine ? `${text.slice(0, longestLine).toWellFormed()} [... ${text.length - longestLine} more characters]` : text
  return `${path}${mark}${line}${mark} ${cut}`
}
