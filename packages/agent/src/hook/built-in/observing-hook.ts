/** Hooks that only observe. */
import { at, callOf, type Frame, items, type LoomEvent, type Output } from '@loom-agent/kernel'
import type { Hook } from '../hook.ts'

/**
 * A hook that takes part in no point and is notified of what has happened.
 *
 * What it sees is durable and seen once in this process, also how a run ended, which no point shows. It adds no commit to a turn.
 */
export interface ObservingHook extends Hook {
  /** Called with the durable events of threads that the agent object has loaded, with the frame after the batch they came in. */
  observe(event: LoomEvent, frame: Frame): void
}

/** The events that end a run. */
export const endings: ReadonlySet<LoomEvent['type']> = new Set(['run.finished', 'run.failed', 'run.stopped'])

/** The tool of a call: of this turn, or of the one that has just been closed; undefined when it is not known. */
export function toolOf({ run, history }: Frame, id: string): string | undefined {
  const open = run && callOf(run, id)
  if (open) return open.part.name
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const message = at(history, index)?.message
    if (message?.role === 'tool') return message.results.find(({ call }) => call === id)?.name
  }
  return undefined
}

/** The calls of the run that have their results, oldest first: those in the history, and those of a turn that is not closed. */
export function endedCalls({ history, run }: Frame): readonly { readonly name: string; readonly output: Output }[] {
  const turns: { readonly name: string; readonly output: Output }[][] = []
  for (let index = history.length - 1; run && index >= 0; index -= 1) {
    const entry = at(history, index)
    if (!entry || entry.turn < run.firstTurn) break
    if (entry.message.role === 'tool') turns.unshift([...entry.message.results])
  }
  const open = run ? [...items(run.calls)] : []
  return [...turns.flat(), ...open.flatMap(({ part, outcome }) => (outcome ? [{ name: part.name, output: outcome.output }] : []))]
}
