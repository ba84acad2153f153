/** What the parts of the page share: the thread, its weave, and one selection. */

import type { Choice, Column } from './choice.ts'
import type { Presence } from './facts.ts'

/** A context that is looked at. */
export interface Opened {
  readonly thread: string
  /** Changes when the thread is another one of the same name. */
  readonly version: string
  readonly columns: readonly Column[]
  /** The selected turn. */
  readonly column: Column
  readonly choice: Choice
  readonly rows: readonly PresenceRow[]
  /** How many turns the weave is wide. */
  readonly turns: number
  /** Chooses a turn, an entry, a side; what is not named stays. */
  choose(next: Partial<Choice> & { readonly turn?: number }): void
}

/** A row of the weave. */
export type PresenceRow = Presence['rows'][number]

/** The row that has the selected entry. */
export const selectedRow = ({ rows, choice }: Pick<Opened, 'rows' | 'choice'>): PresenceRow | undefined => rows.find(({ seq }) => seq === choice.item)
