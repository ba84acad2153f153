/** An agent that makes one change to a file: the same in the process that is killed and in the one that goes on. */
import { join } from 'node:path'
import { type Agent, agent } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { steadyModel } from '@loom-agent/testing'
import { fileTools } from '@loom-agent/tools'

/** What the file holds before, and after each change; null when there is no file. */
export const changes: Readonly<Record<string, { readonly before: string | null; readonly after: string | null; readonly input: object }>> = {
  write_file: { before: 'one\n', after: 'two\n', input: { path: 'sub/a.txt', content: 'two\n' } },
  create: { before: null, after: 'new\n', input: { path: 'sub/a.txt', content: 'new\n' } },
  edit: { before: 'x = 1\n', after: 'x = 1 + 1\n', input: { path: 'sub/a.txt', edits: [{ old: '1', new: '1 + 1' }] } },
  delete_file: { before: 'one\n', after: null, input: { path: 'sub/a.txt' } },
}

/** The journal of a trial. */
export const openJournal = (folder: string): Journal => sqlite(join(folder, 'journal.db'))

/** The agent that makes the change. */
export function changingAgent(folder: string, change: string, journal: Journal): Agent {
  const tool = change === 'create' ? 'write_file' : change
  const model = steadyModel([{ calls: [{ tool, input: changes[change]?.input ?? {} }] }, 'Done.'])
  return agent({ name: 'changer', model, journal, tools: fileTools({ root: join(folder, 'root') }), permissions: { '*': 'allow' } })
}
