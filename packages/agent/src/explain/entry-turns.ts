/** The turns that entries of the history belong to. */
import { at, type Entry, type Frame } from '@loom-agent/kernel'

/** For each entry, the turn in which it was said or, for what models are sent, the turn in which it was first to be sent. */
export function entryTurns({ history, turn }: Frame): readonly number[] {
  const turns: number[] = new Array<number>(history.length)
  let next = turn
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const { message, origin, turn: own } = at(history, index) as Entry
    const call = message.role === 'tool' ? message.results[0]?.call : undefined
    if (call) next = Number(call.slice(0, call.indexOf('.')))
    else if (origin === 'reply') next = own
    turns[index] = next
  }
  return turns
}
