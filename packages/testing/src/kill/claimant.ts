/** The agent that everybody wants to go on with: its one call waits for an approval and must be made once. */
import { type Agent, agent, jsonSchema, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '../scripted-model.ts'
import type { Outside } from './outside.ts'
import type { Place } from './place.ts'

/** Who claims, and how: a process of its own with many claimants in it. */
export interface ClaimJob {
  readonly life: string
  /** Which process it is, counted from 1. */
  readonly process: number
  readonly place: Place
  readonly port: number
  readonly claimants: number
}

/** A round: a thread that waits, and what everybody does at once: answer its question, or go on with it with the answer in hand. */
export interface Round {
  readonly thread: string
  readonly question: string
  readonly how: 'answer' | 'resume'
}

/** What a process says after a round: how often the run ended in which way for its claimants. */
export type RoundEnd = { readonly [status: string]: number }

/** The agent, in whichever process. */
export function claimedAgent({ life, process: number }: Pick<ClaimJob, 'life' | 'process'>, outside: Outside, journal: Journal): Agent {
  const pay = tool({
    name: 'pay',
    input: jsonSchema<Record<string, never>>({ type: 'object' }),
    permission: 'ask',
    async run(_input, { thread }) {
      await outside.act({ life, process: number, label: thread })
      return 'paid'
    },
  })
  const model = scriptedModel(({ prompt }) => (prompt.some(({ role }) => role === 'tool') ? 'It is paid.' : { calls: [{ tool: 'pay', id: 'one' }] }))
  return agent({ name: 'payer', model, tools: { pay }, journal })
}
