/** Finding the result of a call in a history. */
import { at, type CallResult, type Entry, type List, type ToolOutcome } from '@loom-agent/kernel'

/** The result of a call, and how the call ended. */
export interface FoundResult {
  readonly result: CallResult
  readonly outcome: ToolOutcome
}

/** The result of a call; undefined where the history has none. Turns only rise along a history, so it is found by halving. */
export function findResult(history: List<Entry>, call: string): FoundResult | undefined {
  const turn = Number.parseInt(call, 10)
  for (let index = firstOf(history, turn); ; index += 1) {
    const entry = at(history, index)
    // Results enter the history when the next turn is entered.
    if (!entry || entry.turn > turn + 1) return undefined
    const { message, calls } = entry
    const place = message.role === 'tool' ? message.results.findIndex((result) => result.call === call) : -1
    const outcome = calls?.[place]?.outcome
    if (message.role === 'tool' && outcome) return { result: message.results[place] as CallResult, outcome }
  }
}

/** The index of the first entry of a turn, or of a later one. */
function firstOf(history: List<Entry>, turn: number): number {
  let [low, high] = [0, history.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at(history, middle) as Entry).turn < turn) low = middle + 1
    else high = middle
  }
  return low
}
