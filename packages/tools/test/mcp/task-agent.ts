/** An agent that calls a tool which is a task: the same in the process that is killed and in the one that goes on. */
import { join } from 'node:path'
import { type Agent, agent } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { steadyModel } from '@loom-agent/testing'
import { mcp } from '@loom-agent/tools/mcp'

/** What a process has open. */
export interface OpenCaller {
  readonly caller: Agent
  readonly journal: Journal
  close(): Promise<void>
}

/** Opens the journal of a folder, and the agent on it. */
export function openCaller(folder: string, url: string): OpenCaller {
  const journal = sqlite(join(folder, 'journal.db'))
  const servers = mcp({ servers: { lab: { url } } })
  const model = steadyModel([{ calls: [{ tool: 'lab_research', input: {} }] }, 'Done.'])
  const caller = agent({ name: 'caller', model, tools: servers.tools, permissions: { 'mcp:*': 'allow' }, journal })
  return {
    caller,
    journal,
    async close() {
      await servers.close()
      await journal.close()
    },
  }
}
