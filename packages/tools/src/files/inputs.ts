/** The arguments of the file tools, as models are shown them. */
import { jsonSchema } from '@loom-agent/agent'
import type { DeleteInput } from './delete-file.ts'
import type { EditInput } from './edit.ts'
import type { FileSearchInput } from './file-search.ts'
import type { GlobInput } from './glob.ts'
import type { GrepInput } from './grep.ts'
import type { ListInput } from './list.ts'
import type { ReadInput } from './read-file.ts'
import type { WriteInput } from './write-file.ts'

type Arguments<T> = ReturnType<typeof jsonSchema<T>>

const path = { type: 'string', minLength: 1, description: 'The path, relative to the root, with / between names.' }
const folder = { ...path, description: 'Where to search, relative to the root; default: the root.' }
const count = { type: 'integer', minimum: 1 }
const results = { ...count, maximum: 1000, description: 'How many results to return, 1 to 1000; default 100.' }
const flag = { type: 'boolean' }
const expect = {
  type: 'string',
  pattern: '^(?:absent|[0-9a-f]{8,64})$',
  description:
    'The version that the file must still have, as read_file or an earlier result said, or "absent". With another version nothing is changed.',
}
const hidden = { ...flag, description: 'Whether to look at names that begin with a dot, too.' }
const ignored = { ...flag, description: 'Whether to look at what .gitignore leaves out, too.' }

/** `read_file` */
export const readSchema: Arguments<ReadInput> = jsonSchema<ReadInput>({
  type: 'object',
  properties: {
    path,
    offset: { ...count, description: 'The first line to read; default 1.' },
    limit: { ...count, description: 'How many lines to read.' },
    numbers: { ...flag, description: 'Whether each line begins with its number and a tab.' },
    version: { ...flag, description: 'Whether to add the version of the file, for expect of the tools that change it.' },
  },
  required: ['path'],
  additionalProperties: false,
})

/** `write_file` */
export const writeSchema: Arguments<WriteInput> = jsonSchema<WriteInput>({
  type: 'object',
  properties: { path, content: { type: 'string', description: 'The whole text of the file; what was there before is replaced.' }, expect },
  required: ['path', 'content'],
  additionalProperties: false,
})

/** `edit` */
export const editSchema: Arguments<EditInput> = jsonSchema<EditInput>({
  type: 'object',
  properties: {
    path,
    edits: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'The replacements, made one after another; if one cannot be made, none is.',
      items: {
        type: 'object',
        properties: {
          old: { type: 'string', minLength: 1, description: 'The exact passage, with its spaces. It must stand in the file once.' },
          new: { type: 'string', description: 'What stands there instead.' },
          all: { ...flag, description: 'Whether to replace every occurrence.' },
        },
        required: ['old', 'new'],
        additionalProperties: false,
      },
    },
    expect,
  },
  required: ['path', 'edits'],
  additionalProperties: false,
})

/** `delete_file` */
export const deleteSchema: Arguments<DeleteInput> = jsonSchema<DeleteInput>({
  type: 'object',
  properties: { path, expect },
  required: ['path'],
  additionalProperties: false,
})

/** `list` */
export const listSchema: Arguments<ListInput> = jsonSchema<ListInput>({
  type: 'object',
  properties: {
    path: { ...path, description: 'The folder, relative to the root; default: the root.' },
    recursive: { ...flag, description: 'Whether to list the folders below, too.' },
    limit: { ...count, description: 'How many entries to list.' },
  },
  additionalProperties: false,
})

/** `glob` */
export const globSchema: Arguments<GlobInput> = jsonSchema<GlobInput>({
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1, description: 'Such as src/**/*.ts or *.{js,ts}; one without / matches names in any folder.' },
    path: folder,
    hidden,
    ignored,
    limit: { ...count, description: 'How many paths to return.' },
  },
  required: ['pattern'],
  additionalProperties: false,
})

/** `grep` */
export const grepSchema: Arguments<GrepInput> = jsonSchema<GrepInput>({
  type: 'object',
  properties: {
    pattern: { type: 'string', minLength: 1, maxLength: 1000, description: 'A regular expression for one line.' },
    path: folder,
    glob: { type: 'string', minLength: 1, description: 'Only files whose path matches, such as *.ts.' },
    literal: { ...flag, description: 'Whether the pattern is a plain text.' },
    ignore_case: { ...flag, description: 'Whether upper and lower case are the same.' },
    context: { type: 'integer', minimum: 0, maximum: 10, description: 'Lines to show around each match.' },
    max_results: results,
    hidden,
    ignored,
  },
  required: ['pattern'],
  additionalProperties: false,
})

/** `file_search` */
export const searchSchema: Arguments<FileSearchInput> = jsonSchema<FileSearchInput>({
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, maxLength: 200, description: 'A part of the name, or some of its characters in order.' },
    path: folder,
    max_results: results,
    hidden,
    ignored,
  },
  required: ['query'],
  additionalProperties: false,
})
