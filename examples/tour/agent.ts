/** The agent of the tour. Every process creates its own; the processes share only the folder with the journal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { offlineModel } from '@loom-agent/models/offline'
import { fileTools } from '@loom-agent/tools'
import { type Agent, agent, sqlite } from 'loom-agent'

export const thread = 'tour'
export const task = 'Read notes.txt, then write "The journal survives when the process is killed." to summary.md'

/** The agent that works in a folder; `pace` is the delay before each model call in milliseconds, which leaves time to kill its process. */
export function tourAgent(folder: string, pace = 0): Agent {
  return agent({
    name: 'clerk',
    instructions: 'Help with files.',
    model: offlineModel(),
    tools: fileTools({ root: `${folder}/files` }),
    journal: sqlite(`${folder}/loom.db`),
    hooks: [{ name: 'pace', beforeModelCall: () => sleep(pace).then(() => undefined) }],
  })
}
