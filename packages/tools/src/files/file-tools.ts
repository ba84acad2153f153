/** Files within a root, as tools. */
import { resolve } from 'node:path'
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'
import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import { type ListInput, listFolder } from './list.ts'
import { type ReadInput, readTextFile } from './read-file.ts'
import { orRefusal } from './refusal.ts'
import { type WriteInput, writeTextFile } from './write-file.ts'

/** The options of `fileTools()`. */
export interface FileToolsOptions {
  /** The folder that the tools may use; they cannot reach anything outside of it. */
  readonly root: string
  /** Names that may not be written, wherever they are, with everything below them; default `protectedNames`. Reading is not restricted. */
  readonly protect?: readonly string[]
  /** Bytes that one read returns at most; default 9,500, so that Loom's limit of 10,000 characters does not cut it again. */
  readonly maxReadBytes?: number
  /** Lines that one read returns at most; default 2,000. */
  readonly maxLines?: number
  /** Bytes that one write may have; default 256 KiB. The arguments of a call have at most 262,144 characters. */
  readonly maxWriteBytes?: number
  /** Entries that one listing returns at most; default 200. */
  readonly maxEntries?: number
}

/** The tools, by name. */
export interface FileTools {
  /** Reads a text file, or lines of it. */
  readonly read_file: Tool
  /** Writes a text file whole. */
  readonly write_file: Tool
  /** Lists a folder. */
  readonly list: Tool
  readonly [name: string]: Tool
}

/** Names that are not written by default: they hold history, keys and settings that run as code. */
export const protectedNames: readonly string[] = ['.git', '.ssh', '.env', '.gnupg', '.aws', '.npmrc', '.netrc', '.loom']

const path = { type: 'string', minLength: 1, description: 'The path, relative to the root, with / between names.' }
const count = { type: 'integer', minimum: 1 }

const readSchema = jsonSchema<ReadInput>({
  type: 'object',
  properties: {
    path,
    offset: { ...count, description: 'The first line to read; default 1.' },
    limit: { ...count, description: 'How many lines to read.' },
  },
  required: ['path'],
  additionalProperties: false,
})

const writeSchema = jsonSchema<WriteInput>({
  type: 'object',
  properties: { path, content: { type: 'string', description: 'The whole text of the file; what was there before is replaced.' } },
  required: ['path', 'content'],
  additionalProperties: false,
})

const listSchema = jsonSchema<ListInput>({
  type: 'object',
  properties: {
    path: { ...path, description: 'The folder, relative to the root; default: the root.' },
    recursive: { type: 'boolean', description: 'Whether to list the folders below, too.' },
    limit: { ...count, description: 'How many entries to list.' },
  },
  additionalProperties: false,
})

const fileShape: Readonly<Record<keyof FileToolsOptions, Expected>> = {
  root: expected.required({ ...expected.name, words: 'the path of a folder' }),
  protect: expected.list(expected.text, 'a list of names'),
  maxReadBytes: expected.whole(1),
  maxLines: expected.whole(1),
  maxWriteBytes: expected.whole(1),
  maxEntries: expected.whole(1),
}

/**
 * Tools that read, write and list files within a root. Writing asks for permission.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: fileTools({ root: './workspace' }) })
 */
export function fileTools(options: FileToolsOptions): FileTools {
  checkOptions('fileTools', options, fileShape)
  const root = resolve(options.root)
  const { protect = protectedNames, maxReadBytes = 9500, maxLines = 2000, maxWriteBytes = 256 * 1024, maxEntries = 200 } = options
  return {
    read_file: tool({
      name: 'read_file',
      description: 'Reads a text file, or some lines of it.',
      input: readSchema,
      effect: 'read',
      run: (input, { signal }) => orRefusal(input.path, signal, () => readTextFile(input, { root, maxBytes: maxReadBytes, maxLines, signal })),
    }),
    write_file: tool({
      name: 'write_file',
      description: 'Writes a text file: the whole content at once. Folders that are missing are made.',
      input: writeSchema,
      effect: 'idempotent',
      permission: 'ask',
      run: (input, { signal, key }) =>
        orRefusal(input.path, signal, () => writeTextFile(input, { root, maxBytes: maxWriteBytes, protect, key, signal })),
    }),
    list: tool({
      name: 'list',
      description: 'Lists the files and folders in a folder. Folders end with /.',
      input: listSchema,
      effect: 'read',
      run: (input, { signal }) => orRefusal(input.path ?? '.', signal, () => listFolder(input, { root, maxEntries, signal })),
    }),
  }
}
