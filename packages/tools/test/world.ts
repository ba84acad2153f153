/** A root, and a folder outside of it that must not change. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Noted, notesOf, toolDefinitionOf } from '@loom-agent/agent/kit'
import { type FileTools, type FileToolsOptions, fileTools } from '@loom-agent/tools'

/** The content of the file outside, which no tool may ever show. */
export const secret = 'the-secret-outside'

/** The tools, by name. */
export type ToolName = 'read_file' | 'write_file' | 'edit' | 'delete_file' | 'list' | 'glob' | 'grep' | 'file_search'

/** How a tool is called. */
export interface CallOptions {
  readonly key?: string
  readonly signal?: AbortSignal
  /** Called before each step of a durable body. */
  readonly between?: (step: string) => void
}

/** What the body of a tool is given. */
function contextOf({ key = 'key', signal = new AbortController().signal, between }: CallOptions): object {
  const step = async (name: string, run: (step: object) => unknown): Promise<unknown> => {
    between?.(name)
    return run({ key: `${key} ${name}`, signal })
  }
  return { thread: 't', call: '1.0', key, signal, deps: undefined, progress() {}, step }
}

/** A folder `root` for the tools, and a folder `outside` beside it. */
export interface World {
  readonly root: string
  readonly outside: string
  readonly tools: FileTools
  /** Calls a tool as a run would: what it returns, or the error that it returns or throws. */
  call(tool: ToolName, input: object, options?: CallOptions): Promise<unknown>
  inRoot(...names: string[]): string
  /** What the last call said that it has changed. */
  changed(): Noted['changed']
  /** Everything outside, as text. */
  around(): string
  remove(): void
}

/** Creates both folders. */
export function makeWorld(options: Partial<FileToolsOptions> = {}): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-tools-')))
  const root = join(base, 'root')
  const outside = join(base, 'outside')
  mkdirSync(root)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), secret)
  const tools = fileTools({ root, ...options })
  let notes: Noted | undefined
  return {
    root,
    outside,
    tools,
    async call(tool, input, options = {}) {
      try {
        const returned = await toolDefinitionOf(tools[tool]).run(input, contextOf(options) as never)
        notes = notesOf(returned)
        return notes ? notes.value : returned
      } catch (error) {
        return error
      }
    },
    changed: () => notes?.changed,
    inRoot: (...names) => join(root, ...names),
    around: () => snapshot(base, 'root'),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

function snapshot(folder: string, except: string): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== except)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => {
      const place = join(folder, entry.name)
      if (entry.isDirectory()) return `${entry.name}/\n${snapshot(place, '')}`
      return `${entry.name}: ${entry.isSymbolicLink() ? readlinkSync(place) : readFileSync(place, 'utf8')}`
    })
    .join('\n')
}
