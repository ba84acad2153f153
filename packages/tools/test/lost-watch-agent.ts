/** An agent with a watched command that does not end: the same in the process that is killed and in the one that goes on. */
import { join } from 'node:path'
import { type Agent, agent } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { steadyModel } from '@loom-agent/testing'
import { fileTools, shellTools, workspace } from '@loom-agent/tools'

/** The journal of a trial. */
export const openLosing = (folder: string): Journal => sqlite(join(folder, 'journal.db'))

/** The agent: it writes a file, and then a command changes another one and waits. */
export function losingAgent(folder: string, journal: Journal): Agent {
  const root = join(folder, 'root')
  const files = workspace({ root, contents: 'snapshots' })
  const model = steadyModel([
    { calls: [{ tool: 'write_file', input: { path: 'a.txt', content: 'by the agent' } }] },
    { calls: [{ tool: 'bash', input: { command: 'printf half > b.txt; touch ../begun; exec sleep 300' } }] },
    'Done.',
  ])
  const tools = { ...fileTools({ root, workspace: 'snapshots' }), ...shellTools({ cwd: root, workspace: files, sandbox: 'none' }) }
  return agent({ name: 'loser', model, journal, tools, workspace: files, permissions: { '*': 'allow' } })
}
