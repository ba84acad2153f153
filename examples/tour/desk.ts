/** The agent of the tour. Every process of it makes the same one: what they share is the folder with the journal. */
import { setTimeout as sleep } from 'node:timers/promises'
import { offlineModel } from '@loom-agent/models/offline'
import { fileTools } from '@loom-agent/tools'
import { type Agent, agent, sqlite } from 'loom-agent'

export const thread = 'tour'
export const task = 'Read notes.txt, then write "The journal survives when the process is killed." to summary.md'

/** The agent at work in a folder; `pace` slows it down so that people, and those who kill it, can follow. */
export function desk(folder: string, pace = 0): Agent {
  return agent({
    name: 'desk',
    instructions: 'Help with files.',
    model: offlineModel(),
    tools: fileTools({ root: `${folder}/files` }),
    journal: sqlite(`${folder}/loom.db`),
    hooks: [{ name: 'pace', beforeModelCall: () => sleep(pace).then(() => undefined) }],
  })
}
