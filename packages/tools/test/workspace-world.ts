/** A folder that an agent and people change, and an agent that can rewind it. */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Agent, type AgentOptions, agent, memoryJournal, type ToolSet } from '@loom-agent/agent'
import type { EventOf, EventType, Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { type FileToolsOptions, type FolderWorkspace, fileTools, type WorkspaceOptions, workspace } from '@loom-agent/tools'
import { eventsOf } from '../../../test/support/threads.ts'

/** One call of the script of a model. */
export type ScriptedCall = readonly [tool: string, input: object]

/** The SHA-256 of a text. */
export const sha = (content: string): string => createHash('sha256').update(content).digest('hex')

/** The folder, and the agent. */
export interface WorkspaceWorld {
  readonly base: string
  readonly root: string
  readonly journal: Journal
  readonly files: FolderWorkspace
  /** The agent, with a model that makes these calls, one a turn. */
  agentFor(calls: readonly ScriptedCall[], options?: Partial<AgentOptions>): Agent
  /** Runs the calls on a thread; returns the seq of its last event. */
  run(thread: string, calls: readonly ScriptedCall[], tools?: ToolSet<unknown>): Promise<number>
  /** What was recorded of a type on a thread; checks the history. */
  recorded<T extends EventType>(thread: string, type: T): Promise<readonly EventOf<T>['data'][]>
  put(name: string, content: string, mode?: number): void
  /** All files by their paths: contents, and where links lead. */
  contents(): Readonly<Record<string, string>>
  remove(): void
}

/** Makes the folder. */
export function workspaceWorld(options: Partial<WorkspaceOptions & FileToolsOptions> = {}, journal: Journal = memoryJournal()): WorkspaceWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-workspace-')))
  const root = join(base, 'root')
  mkdirSync(root)
  const { name, protect } = options
  const shared = { root, ...(name !== undefined && { name }), ...(protect && { protect }) }
  const bounds = Object.fromEntries(Object.entries(options).filter(([key]) => /^(?:max(?:Files|Bytes|Time)|contents|leaveOut|journals)$/.test(key)))
  const files = workspace({ contents: 'snapshots', ...shared, ...bounds })
  const tools = fileTools({ ...shared, workspace: options.workspace ?? 'snapshots' })
  const agentFor: WorkspaceWorld['agentFor'] = (calls, given) => {
    const model = scriptedModel([...calls.map(([tool, input]) => ({ calls: [{ tool, input: input as never }] })), 'Done.'])
    return agent({ name: 'coder', model, journal, tools, workspace: files, permissions: { '*': 'allow' }, ...given })
  }
  return {
    base,
    root,
    journal,
    files,
    agentFor,
    async run(thread, calls, others) {
      await agentFor(calls, others ? { tools: { ...tools, ...(others as object) } } : {}).run('Go.', { thread })
      return (await eventsOf(journal, thread)).length
    },
    async recorded(thread, type) {
      const events = await eventsOf(journal, thread)
      assertHistory(events)
      return events.flatMap((event) => (event.type === type ? [event.data as never] : []))
    },
    put(name, content, mode) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), content)
      if (mode !== undefined) chmodSync(join(root, name), mode)
    },
    contents: () => contentsOf(root),
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** All files below a folder, by their paths. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) found[place.slice(folder.length + 1)] = `-> ${readlinkSync(place)}`
    else if (entry.isFile()) found[place.slice(folder.length + 1)] = readFileSync(place, 'utf8')
  }
  return found
}

/** The permission bits of a file. */
export const modeOf = (root: string, name: string): number => lstatSync(join(root, name)).mode & 0o777
