/** The calls of a thread, one after another: what was called, why it was allowed, what came of it, and what it caused. */
import type { ChatCall, ChatItem } from './chat-item.ts'

/** A call, with the reply that proposed it and the questions that were asked about it. */
export interface ChainedCall extends ChatCall {
  /** The run. */
  readonly run: string
  /** The seq of the reply that proposed it. */
  readonly proposedAt: number
  /** The call before it whose result the model had read when it proposed this one; absent for the first. */
  readonly after?: string
  /** The questions about it, with who answered them how. */
  readonly questions: readonly {
    readonly id: string
    readonly of: string
    readonly answers: readonly { readonly answer: string; readonly by?: string }[]
  }[]
}

/** The calls of a chat, in the order in which they were proposed. */
export function toolChainOf(items: readonly ChatItem[]): readonly ChainedCall[] {
  const questions = new Map<string, ChainedCall['questions'][number][]>()
  for (const item of items) {
    if (item.kind !== 'question' || item.call === undefined) continue
    questions.set(item.call, [...(questions.get(item.call) ?? []), { id: item.id, of: item.of, answers: item.answers }])
  }
  const chain: ChainedCall[] = []
  let before: string | undefined
  for (const item of items) {
    if (item.kind !== 'assistant') continue
    for (const call of item.calls) {
      chain.push({
        ...call,
        run: item.run,
        proposedAt: item.seq,
        ...(before !== undefined && { after: before }),
        questions: questions.get(call.call) ?? [],
      })
    }
    before = item.calls.at(-1)?.call ?? before
  }
  return chain
}
