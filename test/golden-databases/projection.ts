/** What a thread comes to, in words that no change of the storage format may alter. */
import { createHash } from 'node:crypto'
import { type Agent, frameOf } from '@loom-agent/agent'
import type { Frame, Journal } from '@loom-agent/kernel'

/** A thread of a golden database, as every later version must read it. */
export interface Projection {
  /** As the table of threads lists it. */
  readonly listed: string
  readonly seq: number
  readonly turn: number
  readonly run: string
  readonly usage: readonly [input: number, output: number]
  /** The open questions, with their kinds. */
  readonly questions: Readonly<Record<string, string>>
  readonly queued: number
  /** SHA-256 over the conversation as AI SDK messages. */
  readonly messages: string
}

/** What this version makes of a thread that ends at `seq`. */
export async function projectionOf({ journal, clerk }: { journal: Journal; clerk: Agent }, thread: string, seq: number): Promise<Projection> {
  const heads = await journal.threads()
  const head = heads.find((candidate) => candidate.thread === thread)
  const messages = JSON.stringify(await clerk.messages(thread))
  return {
    listed: head?.summary.status ?? 'absent',
    ...factsOf(await frameOf(journal, `${thread}@${seq}`)),
    messages: createHash('sha256').update(messages).digest('hex'),
  }
}

/** What a frame says, without what may be added to frames. */
export function factsOf({ seq, turn, run, questions, queue }: Frame): Omit<Projection, 'listed' | 'messages'> {
  return {
    seq,
    turn,
    run: run?.status ?? 'none',
    usage: [run?.usage.input ?? 0, run?.usage.output ?? 0],
    questions: Object.fromEntries(Object.values(questions).map(({ id, kind }) => [id, kind])),
    queued: queue.length,
  }
}
