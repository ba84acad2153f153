/** Journals that break one rule each: every one is a real journal with one change. */
import type { LoomEvent } from '@loom-agent/kernel'
import { eventsOf } from '../../../../test/support/threads.ts'
import type { HistoryRule } from '../../src/history/rules.ts'
import { resumed } from './crashed-journals.ts'
import type { Edit } from './edits.ts'
import { forkedJournals } from './forked-journals.ts'
import { played, scenario } from './real-journals.ts'
import { spoiledCalls, spoiledQuestions, spoiledWaits } from './spoiled-calls.ts'
import { spoiledForks } from './spoiled-forks.ts'
import { spoiledRuns, spoiledTurns } from './spoiled-runs.ts'

/** A change that breaks a rule. */
export interface Spoil {
  readonly rule: HistoryRule
  /** The journal that is spoiled. */
  readonly of: string
  readonly name: string
  readonly edit: Edit
}

/** Threads that were lost in the middle of something, by the event after which they were. */
const crashes: { readonly [name: string]: readonly [string, LoomEvent['type']] } = {
  'a crash in a call': ['serial calls', 'tool.started'],
  'a crash in a step': ['a durable call that asks and sleeps', 'tool.step-started'],
  'a crash while the model is called': ['a plain answer', 'model.requested'],
}

/** The real journal of this name. */
export async function realJournal(name: string): Promise<readonly LoomEvent[]> {
  const ofFork = forkedJournals[name]
  if (ofFork) return ofFork()
  const [source, after] = crashes[name] ?? [name]
  const journal = await played(scenario(source))
  const events = await eventsOf(journal, source)
  if (after === undefined) return events
  const lost = events.find(({ type }) => type === after)?.seq ?? 0
  return resumed({ scenario: scenario(source), journal, cut: lost })
}

/** Every spoiled journal. */
export const spoils: readonly Spoil[] = [...spoiledRuns, ...spoiledForks, ...spoiledTurns, ...spoiledCalls, ...spoiledWaits, ...spoiledQuestions].map(
  ([rule, of, name, edit]) => ({
    rule,
    of,
    name,
    edit,
  }),
)
