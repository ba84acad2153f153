/** The options of the file tools. */
import { type Expected, expected } from '@loom-agent/agent/kit'
import { type DeclaredPaths, declaredShape } from './declared-paths.ts'

/** The options of `fileTools()`. */
export interface FileToolsOptions extends DeclaredPaths {
  /** The folder that the tools may use; they cannot reach anything outside of it. */
  readonly root: string
  /** The files and folders of journals, which no tool reads or changes; databases and journals that are recognised need not be named. */
  readonly journals?: readonly string[]
  /**
   * What is recorded of each change: the hashes of the content before and after (default), or with `snapshots` also these contents, in the journal, so that
   * a rewind can put them back. Contents of more than 4 MiB are not kept, and neither are those of files that may hold secrets.
   */
  readonly workspace?: 'hashes' | 'snapshots'
  /** The name under which changes are recorded; default `workspace`. Tools that use the same folder have the same name, others have another. */
  readonly name?: string
  /** Bytes that one read or search returns at most; default 9,500, so that Loom's limit of 10,000 characters does not cut it again. */
  readonly maxReadBytes?: number
  /** Lines that one read returns at most; default 2,000. */
  readonly maxLines?: number
  /** Bytes that an image may have; default 1.5 MiB, so that Loom's limit for media does not leave it out. */
  readonly maxMediaBytes?: number
  /** Bytes that one write may have; default 256 KiB. The arguments of a call have at most 262,144 characters. */
  readonly maxWriteBytes?: number
  /** Bytes that a file may have that is edited, before and after; default 4 MiB. */
  readonly maxEditBytes?: number
  /** Entries that one listing or glob returns at most; default 200. */
  readonly maxEntries?: number
  /** Entries that one search looks at, at most; default 100,000. */
  readonly maxVisited?: number
}

/** The name of a workspace that has no other. */
export const defaultWorkspace = 'workspace'

/** What each option must be. */
export const fileShape: Readonly<Record<keyof FileToolsOptions, Expected>> = {
  root: expected.required({ ...expected.name, words: 'the path of a folder' }),
  ...declaredShape,
  journals: expected.list(expected.name, 'a list of paths'),
  workspace: expected.oneOf('hashes', 'snapshots'),
  name: expected.name,
  maxReadBytes: expected.whole(1),
  maxLines: expected.whole(1),
  maxMediaBytes: expected.whole(1),
  maxWriteBytes: expected.whole(1),
  maxEditBytes: expected.whole(1),
  maxEntries: expected.whole(1),
  maxVisited: expected.whole(1),
}
