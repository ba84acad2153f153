/**
 * Asking guards about a text.
 *
 * GUARD-3. The guards of an agent are asked in order; each sees what those before it have left, and what one of them blocks no other is asked about.
 * GUARD-4. A guard that throws, says what is no verdict, or does not answer in time has blocked, unless it says that texts pass then.
 */
import type { Clock } from '@loom-agent/kernel'
import { callUser } from '../platform/call-user.ts'
import { createCancellation, startGracePeriod, waitFor } from '../platform/cancellation.ts'
import { messageOf, shown } from '../platform/normalize.ts'
import { type Guard, type GuardedPlace, type GuardNote, type GuardVerdict, withheldText } from './guard.ts'

/** What guards have left of a text. */
export interface GuardedText {
  readonly text: string
  readonly notes: readonly GuardNote[]
  /** The note of the guard that blocked it. */
  readonly blocked: GuardNote | undefined
}

/** Milliseconds in which a guard has to answer. */
const longestAnswer = 30_000

/** Asks the guards of a place about a text. */
export async function askGuards(
  guards: readonly Guard[],
  text: string,
  asked: { readonly place: GuardedPlace; readonly clock: Clock },
): Promise<GuardedText> {
  const notes: GuardNote[] = []
  let left = text
  for (const guard of guards) {
    if (!guard[asked.place.at]) continue
    const verdict = await verdictOf(guard, left, asked)
    const note = noteOf(guard, verdict)
    if (!note) continue
    if ('rewrite' in verdict) {
      if (verdict.rewrite !== left) notes.push(note)
      left = verdict.rewrite
      continue
    }
    notes.push(note)
    if ('block' in verdict) return { text: withheldText(guard.name, verdict.block), notes, blocked: note }
  }
  return { text: left, notes, blocked: undefined }
}

type Verdict = Exclude<GuardVerdict, undefined | void> | Record<string, never>

const kinds = ['rewrite', 'block', 'ask', 'warn'] as const

/** The verdict of a guard; empty where the text passes. */
async function verdictOf(guard: Guard, text: string, { place, clock }: { readonly place: GuardedPlace; readonly clock: Clock }): Promise<Verdict> {
  try {
    const limit = createCancellation(clock, longestAnswer)
    startGracePeriod(limit)
    const returned: unknown = await waitFor(limit, Promise.resolve(callUser(() => guard[place.at]?.(text, place))))
    if (returned === undefined || returned === null) return {}
    // A text has as many fields as characters.
    const [given, ...others] = typeof returned === 'object' ? Object.entries(returned) : []
    const isVerdict = given && others.length === 0 && (kinds as readonly string[]).includes(given[0]) && typeof given[1] === 'string'
    if (!isVerdict) throw new Error(`it returned ${shown(returned)}, which is no verdict`)
    // What was judged: at another look it may say something else.
    return Object.fromEntries([given]) as Verdict
  } catch (error) {
    return failedVerdict(guard, error)
  }
}

/** What a guard that failed has said (GUARD-4). */
const failedVerdict = (guard: Guard, error: unknown): { readonly block: string } | Record<string, never> =>
  guard.onError === 'pass' ? {} : { block: `it failed: ${messageOf(error)}` }

function noteOf({ name }: Guard, verdict: Verdict): GuardNote | undefined {
  if ('rewrite' in verdict) return { guard: name, verdict: 'rewrite' }
  if ('block' in verdict) return { guard: name, verdict: 'block', reason: String(verdict.block) }
  if ('ask' in verdict) return { guard: name, verdict: 'ask', reason: String(verdict.ask) }
  return 'warn' in verdict ? { guard: name, verdict: 'warn', reason: String(verdict.warn) } : undefined
}
