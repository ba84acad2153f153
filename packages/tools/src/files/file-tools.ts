/** Files within a root, as tools. */
import { resolve } from 'node:path'
import { type DurableContext, type LeastVerdict, type TaintLabel, type Tool, type ToolContext, tool, type Verdict } from '@loom-agent/agent'
import { checkOptions } from '@loom-agent/agent/kit'
import { guardOf } from './declared-paths.ts'
import { deleteFile } from './delete-file.ts'
import { editFile } from './edit.ts'
import { searchFiles } from './file-search.ts'
import type { FindBounds } from './find-files.ts'
import { globFiles } from './glob.ts'
import { grepFiles } from './grep.ts'
import { type Guard, namesOf } from './guard.ts'
import { deleteSchema, editSchema, globSchema, grepSchema, listSchema, readSchema, searchSchema, writeSchema } from './inputs.ts'
import { type JournalPaths, journalPaths } from './journal-files.ts'
import { type JudgedPlaces, judgedPlaces, type PathGiven } from './judged-places.ts'
import { listFolder } from './list.ts'
import { defaultWorkspace, type FileToolsOptions, fileShape } from './options.ts'
import { pathMatcher } from './path-matcher.ts'
import { readFile } from './read-file.ts'
import { orRefusal } from './refusal.ts'
import { type ChangeBounds, largestKept } from './target.ts'
import { writeTextFile } from './write-file.ts'

/** The tools, by name. */
export interface FileTools {
  /** Reads a text file, lines of it, or an image. */
  readonly read_file: Tool
  /** Writes a text file whole. */
  readonly write_file: Tool
  /** Replaces passages of a text file. */
  readonly edit: Tool
  /** Deletes a file. */
  readonly delete_file: Tool
  /** Lists a folder. */
  readonly list: Tool
  /** Finds files by a pattern of their path. */
  readonly glob: Tool
  /** Searches the content of files. */
  readonly grep: Tool
  /** Finds files by their name. */
  readonly file_search: Tool
  readonly [name: string]: Tool
}

/** Bytes that a file may have that is replaced or deleted: all of them are read for its hash. */
const largestChanged = 256 * 1024 * 1024

/** The options, complete, and what the tools share. */
interface Shared extends Required<Omit<FileToolsOptions, 'protect' | 'private' | 'untrusted' | 'journals' | 'name'>> {
  readonly guard: Guard
  readonly judged: JudgedPlaces
  /** What the content of some file has that the program has named: a search does not leave it out. */
  readonly searched: readonly TaintLabel[]
  readonly journals: JournalPaths
  readonly name: string | undefined
}

/**
 * Tools that read, write, edit, delete, list and search files within a root. What changes a file asks for permission.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: fileTools({ root: './workspace' }) })
 */
export function fileTools(options: FileToolsOptions): FileTools {
  checkOptions('fileTools', options, fileShape)
  const { protect: _, private: hidden = [], untrusted: foreign = [], journals = [], ...given } = options
  const root = resolve(options.root)
  const guard = guardOf(options)
  const shared: Shared = {
    maxReadBytes: 9500,
    maxLines: 2000,
    maxMediaBytes: 1.5 * 1024 * 1024,
    maxWriteBytes: 256 * 1024,
    maxEditBytes: 4 * 1024 * 1024,
    maxEntries: 200,
    maxVisited: 100_000,
    workspace: 'hashes',
    ...given,
    root,
    name: options.name === defaultWorkspace ? undefined : options.name,
    guard,
    judged: judgedPlaces(root, guard),
    searched: [...(hidden.length > 0 ? (['private'] as const) : []), ...(foreign.length > 0 ? (['untrusted'] as const) : [])],
    journals: journalPaths(journals),
  }
  return { ...readingTools(shared), ...changingTools(shared), ...searchingTools(shared) }
}

/** What a result has that holds content of the file at a path. */
const labelsOf =
  ({ isPrivate, isForeign }: Guard) =>
  ({ path }: { readonly path: string }): readonly TaintLabel[] => {
    const names = namesOf(path) ?? []
    return [...(isPrivate(names) ? (['private'] as const) : []), ...(isForeign(names) ? (['untrusted'] as const) : [])]
  }

/** What names of files have: others may have chosen them where they wrote files. */
const labelOfNames = (searched: readonly TaintLabel[]): readonly TaintLabel[] => searched.filter((label) => label === 'untrusted')

function readingTools(shared: Shared): Pick<FileTools, 'read_file' | 'list'> {
  const { root, guard, judged, searched, journals, maxReadBytes, maxLines, maxMediaBytes, maxEntries } = shared
  const reading = { root, guard, judged, access: 'read' } as const
  return {
    read_file: tool({
      name: 'read_file',
      description: 'Reads a text file, some lines of it, or an image.',
      input: readSchema,
      effect: 'read',
      permission: ({ path }) => guard.verdict('read', path),
      matcher: pathMatcher(reading),
      taint: { brings: labelsOf(guard) },
      run: (input, { signal }) =>
        orRefusal(input.path, signal, () =>
          readFile(input, { root, guard: judged.guardFor(input), journals, maxBytes: maxReadBytes, maxLines, maxMediaBytes, signal }),
        ),
    }),
    list: tool({
      name: 'list',
      description: 'Lists the files and folders in a folder. Folders end with /.',
      input: listSchema,
      effect: 'read',
      matcher: pathMatcher({ ...reading, below: 'recursive' }),
      taint: { brings: labelOfNames(searched) },
      run: (input, { signal }) =>
        orRefusal(input.path ?? '.', signal, () => listFolder(input, { root, check: judged.checkFor(input), maxEntries, signal })),
    }),
  }
}

function changingTools(shared: Shared): Pick<FileTools, 'write_file' | 'edit' | 'delete_file'> {
  const { root, guard, judged, journals, name, maxWriteBytes, maxEditBytes } = shared
  const keeps = shared.workspace === 'snapshots'
  const bounds = (input: PathGiven, maxBytes: number): ChangeBounds => ({
    root,
    guard: judged.guardFor(input),
    journals,
    name,
    keeps,
    maxBytes,
    maxFileBytes: largestChanged,
    maxKeptBytes: largestKept,
  })
  // A change asks, unless a rule says otherwise; that of a protected file asks even so.
  const permission = ({ path }: { readonly path: string }): Verdict | LeastVerdict => {
    const least = guard.verdict('write', path)
    return least.atLeast === 'allow' ? 'ask' : least
  }
  const schedule = { lock: ({ path }: { readonly path: string }): string => `${root}/${namesOf(path)?.join('/') ?? ''}` }
  const matcher = pathMatcher({ root, guard, judged, access: 'write' })
  const changing = { effect: 'idempotent', durable: true, permission, matcher, schedule } as const
  return {
    write_file: tool({
      ...changing,
      name: 'write_file',
      description: 'Writes a text file: the whole content at once. Folders that are missing are made. Use edit to change a part of a file.',
      input: writeSchema,
      run: (input, context: DurableContext) => writeTextFile(input, bounds(input, maxWriteBytes), context),
    }),
    edit: tool({
      ...changing,
      name: 'edit',
      description: 'Replaces exact passages of a text file and returns the difference. Read the file first.',
      input: editSchema,
      taint: { brings: labelsOf(guard) },
      run: (input, context: DurableContext) => editFile(input, bounds(input, maxEditBytes), context),
    }),
    delete_file: tool({
      ...changing,
      name: 'delete_file',
      description: 'Deletes a file. Folders are not deleted.',
      input: deleteSchema,
      run: (input, context: DurableContext) => deleteFile(input, bounds(input, maxEditBytes), context),
    }),
  }
}

function searchingTools({
  root,
  guard,
  judged,
  searched,
  journals,
  maxReadBytes,
  maxEntries,
  maxVisited,
}: Shared): Pick<FileTools, 'glob' | 'grep' | 'file_search'> {
  const bounds = (input: PathGiven, { signal }: ToolContext): FindBounds => ({ root, guard: judged.guardFor(input), maxVisited, signal })
  const matcher = pathMatcher({ root, guard, judged, access: 'read', below: 'always' })
  return {
    glob: tool({
      name: 'glob',
      description: 'Finds files by a pattern of their path. Leaves out .git, node_modules, hidden files and what .gitignore names.',
      input: globSchema,
      effect: 'read',
      matcher,
      taint: { brings: labelOfNames(searched) },
      run: (input, context) => orRefusal(input.path ?? '.', context.signal, () => globFiles(input, { ...bounds(input, context), maxEntries })),
    }),
    grep: tool({
      name: 'grep',
      description:
        'Finds lines in files by a regular expression (of ripgrep). Leaves out .git, node_modules, hidden files and what .gitignore names.',
      input: grepSchema,
      effect: 'read',
      permission: ({ path = '.' }) => guard.verdict('read', path),
      matcher,
      taint: { brings: ({ path = '.' }) => [...searched, ...labelsOf(guard)({ path })] },
      run: (input, context) =>
        orRefusal(input.path ?? '.', context.signal, () => grepFiles(input, { ...bounds(input, context), journals, maxBytes: maxReadBytes })),
    }),
    file_search: tool({
      name: 'file_search',
      description: 'Finds files by their name: a part of it, or some of its characters in order. The best come first.',
      input: searchSchema,
      effect: 'read',
      matcher,
      taint: { brings: labelOfNames(searched) },
      run: (input, context) => orRefusal(input.path ?? '.', context.signal, () => searchFiles(input, bounds(input, context))),
    }),
  }
}
