/** An agent that rewinds: the same in the process that is killed and in the one that goes on. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Agent, agent } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { steadyModel } from '@loom-agent/testing'
import { fileTools, shellTools, workspace } from '@loom-agent/tools'

/** The journal of a trial. */
export const openRestoring = (folder: string): Journal => sqlite(join(folder, 'journal.db'))

/** The agent, whose model edits, makes and deletes files. */
export function restoringAgent(folder: string, journal: Journal): Agent {
  const root = join(folder, 'root')
  const files = workspace({ root, contents: 'snapshots' })
  const model = steadyModel([
    {
      calls: [
        { tool: 'write_file', input: { path: 'edited.txt', content: 'by the agent' } },
        { tool: 'write_file', input: { path: 'sub/made.txt', content: 'made' } },
        { tool: 'bash', input: { command: 'rm deleted.txt; chmod 755 mode.sh; rm link; printf theirs-soon > person.txt' } },
      ],
    },
    'Done.',
  ])
  const tools = { ...fileTools({ root, workspace: 'snapshots' }), ...shellTools({ cwd: root, workspace: files }) }
  return agent({ name: 'rewinder', model, journal, tools, workspace: files, permissions: { '*': 'allow' } })
}

/** The files before the run, and after the rewind; a person edits one in between. */
export const restoredFiles: Readonly<Record<string, string>> = {
  'edited.txt': 'as it was',
  'deleted.txt': 'deleted',
  'mode.sh': 'echo',
  'person.txt': "a person's words",
  link: '-> edited.txt',
}

/** Makes the files, lets the agent change them, and lets a person edit one. */
export async function arrangeRestore(folder: string): Promise<void> {
  const root = join(folder, 'root')
  mkdirSync(root, { recursive: true })
  for (const [name, content] of Object.entries(restoredFiles))
    if (name !== 'link') writeFileSync(join(root, name), name === 'person.txt' ? 'before' : content)
  chmodSync(join(root, 'mode.sh'), 0o644)
  symlinkSync('edited.txt', join(root, 'link'))
  const journal = openRestoring(folder)
  await restoringAgent(folder, journal).run('Go.', { thread: 't' })
  await journal.close()
  rmSync(join(root, 'person.txt'))
  writeFileSync(join(root, 'person.txt'), "a person's words")
}
