/**
 * Results that are known already.
 *
 * CACHE-1. Only successes of calls that ran and whose effect is `pure` or `read` are kept: a call that changes the world is never left out.
 * CACHE-2. A result is given only where it was got: another thread may be another user, with other dependencies and other permissions.
 */

import { type Call, type Clock, callOf, canonicalJson, type Output } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { systemClock } from '../../platform/ports.ts'
import { shortenedOf } from '../../platform/shortened.ts'
import { isHarmless } from '../../types/effect-class.ts'
import { answerWith, type Hook, type HookContext, type ProposedCall } from '../hook.ts'

/** What is kept, and how long. */
export interface CachingOptions {
  /** Results kept at most, the least recently used goes first; default 1,000. */
  readonly max?: number
  /** Milliseconds that a result is good for; default 300,000. */
  readonly ttl?: number
  /** Only these tools; default: every `pure` and `read` tool. */
  readonly tools?: readonly string[]
  /** Shares results between threads, for tools whose results are the same for all users; default `false`. */
  readonly shared?: boolean
  /** Replaces the platform's clock. */
  readonly clock?: Pick<Clock, 'now'>
}

const shape: Shape & Record<keyof CachingOptions, Expected> = {
  max: expected.number(1),
  ttl: expected.number(0),
  tools: expected.list(expected.text, 'a list of names of tools'),
  shared: expected.flag,
  clock: expected.object,
}

interface Kept {
  readonly output: Output
  readonly until: number
}

/**
 * Gives a call the result of an earlier one of the same tool with the same arguments, whatever their order. The call is journaled with its
 * result and is not run.
 *
 * Put it after hooks that change arguments: it looks at the arguments it is given. A cached answer is permitted like any other call.
 *
 * @example
 * agent({ model, tools: { search }, hooks: [caching({ ttl: 60_000 })] })
 */
export function caching(options: CachingOptions = {}): Hook {
  checkOptions('caching', options, shape)
  const { max = 1000, ttl = 300_000, tools, shared = false, clock = systemClock } = options
  const kept = new Map<string, Kept>()
  const isCached = ({ tool }: ProposedCall): boolean => tools === undefined || tools.includes(tool)
  const keyOf = ({ thread }: HookContext, { tool, input }: ProposedCall): string => canonicalJson([shared ? null : thread, tool, input])

  /** The result under a key while it is valid; a result that is used is dropped later. */
  const find = (key: string): Kept | undefined => {
    const found = kept.get(key)
    if (!found) return undefined
    kept.delete(key)
    if (found.until <= clock.now()) return undefined
    kept.set(key, found)
    return found
  }

  return {
    name: 'caching',
    beforeToolExecution(context, call) {
      const found = isCached(call) ? find(keyOf(context, call)) : undefined
      return found && answerWith(found.output)
    },
    afterToolExecution(context, call) {
      if (!isCached(call) || call.status !== 'success' || !hasRun(context, call)) return undefined
      if (shared && namesCall(call.output)) return undefined
      kept.set(keyOf(context, call), { output: call.output, until: clock.now() + ttl })
      if (kept.size > max) kept.delete(kept.keys().next().value as string)
      return undefined
    },
  }
}

/** Whether an output says how the rest of it is read: with the id of a call, which in another thread is another call. */
const namesCall = ({ value }: Output): boolean => typeof value === 'string' && shortenedOf(value)?.call !== undefined

function hasRun({ frame }: HookContext, { id }: ProposedCall): boolean {
  const effect: NonNullable<Call['start']>['effect'] | undefined = frame.run && callOf(frame.run, id)?.start?.effect
  return isHarmless(effect)
}
