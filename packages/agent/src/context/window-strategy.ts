/** The strategy that shows the end of the conversation. */
import { at, type Entry, type Frame } from '@loom-agent/kernel'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, extend } from './strategy.ts'

/** How much of the conversation is shown; one of the two. */
export interface WindowOptions {
  /** The last turns. */
  readonly turns?: number
  /** The last entries that have so many tokens together. */
  readonly tokens?: number
}

/**
 * Shows the last turns, or the last entries that fit, and always the last input. It cuts when twice as much is shown, so that a provider's cache stays
 * valid in between.
 *
 * @example
 * agent({ context: window({ turns: 20 }) })
 */
export function window(options: WindowOptions): ContextStrategy {
  checkOptions('window()', options, { turns: expected.whole(1), tokens: expected.whole(1) })
  if ((options.turns === undefined) === (options.tokens === undefined))
    checkOptions(
      'window()',
      { 'turns or tokens': options },
      { 'turns or tokens': { words: 'one of the two, such as { turns: 20 }', fits: () => false } },
    )
  return { name: 'window', assemble: (request) => assembleWindow(request, options) }
}

function assembleWindow(request: ContextRequest, { turns, tokens = 0 }: WindowOptions): ContextPlan {
  const { frame, rebase } = request
  const first = firstShown(frame)
  const cut = turns === undefined ? byTokens(request, first, tokens) : byTurns(request, first, turns)
  if (cut === undefined || cut <= first) return extend
  const kept = turns === undefined ? `the last ${tokens} tokens` : `the last ${turns} turns`
  return { rebase: { reason: rebase ?? 'window', segments: [{ to: cut, as: 'dropped', rule: 'window', reason: `It comes before ${kept}.` }] } }
}

const isAsked = ({ frame, rebase }: ContextRequest): boolean => frame.compact || rebase === 'overflow'

/** The index of the first entry after what is left out. */
function firstShown({ context: { segments } }: Frame): number {
  const last = segments.findLast(({ as }) => as !== 'kept')
  return last?.to ?? 0
}

/** The cut before the last turns; undefined while fewer than twice as many are shown. */
function byTurns(request: ContextRequest, first: number, turns: number): number | undefined {
  const { history, turn } = request.frame
  const shown = turn - (at(history, first)?.turn ?? turn)
  const most = isAsked(request) || request.rebase !== undefined ? turns : 2 * turns
  if (shown <= most) return undefined
  let cut = history.length
  while (cut > first && (at(history, cut - 1) as Entry).turn > turn - turns) cut -= 1
  return cut
}

/** The cut before the last entries that fit; undefined while less than twice as much is shown. */
function byTokens(request: ContextRequest, first: number, most: number): number | undefined {
  const { frame, tokens } = request
  const { history } = frame
  if (!isAsked(request) && tokens.shown() - tokens.fixed() <= 2 * most) return undefined
  let cut = history.length
  for (let sum = 0; cut > first; cut -= 1) {
    sum += tokens.entry(cut - 1)
    if (sum > most) break
  }
  return cut
}
