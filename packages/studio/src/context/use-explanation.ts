/** The explanation of a request, of all of it or of one entry. */

import type { Loaded } from '../data/loader.ts'
import { useLoaded } from '../data/use-server.tsx'
import type { Explanation } from './facts.ts'
import type { Opened } from './opened.ts'

/** What became of everything in a turn; with `seq`, the reason of one entry too. Nothing is loaded without a turn. */
export function useExplanation({ thread, version }: Opened, turn: number | undefined, seq?: number): Loaded<Explanation> {
  return useLoaded(
    turn === undefined
      ? undefined
      : {
          of: `explanation ${thread} ${turn} ${seq ?? ''}`,
          version,
          load: (client) => client.getExplanation({ thread }, { turn, ...(seq !== undefined && { seq }) }),
        },
  )
}
