/** A child's budget: its own, at most its part of what the parent has left. What siblings were allotted is not available, whether or not they spend it. */
import { type Frame, isOver, items, type Limits, type Run } from '@loom-agent/kernel'
import { leftOf } from '../model/budget.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'

type Allotment = { readonly tokens?: number; readonly cost?: number }

/** What a child of the run may spend. */
export async function allotmentFor(threads: ThreadCache, { run }: Frame, { child, own }: { child: string; own: Limits }): Promise<Allotment> {
  const given = { ...(own.tokens !== undefined && { tokens: own.tokens }), ...(own.cost !== undefined && { cost: own.cost }) }
  const left = leftOf(run as Run)
  if (left.tokens === undefined && left.cost === undefined) return given
  const calls = [...items((run as Run).calls)].filter(({ state }) => state !== 'settled')
  const open = calls.map((call) => call.open.flatMap((step) => step.child ?? []))
  const siblings = await Promise.all(open.flat().flatMap((id) => (id === child ? [] : [threads.load(id)])))
  const started = siblings.flatMap(({ frame }) => frame.run ?? [])
  // Any other call that has no child yet may start one.
  const together = 1 + siblings.length - started.length + open.filter((children) => children.length === 0).length
  const part = (key: 'tokens' | 'cost'): Allotment => {
    const rest = left[key]
    if (rest === undefined) return {}
    const free = started.reduce((sum, sibling) => sum - allottedTo(sibling, key), rest)
    return { [key]: Math.min(Math.max(0, Math.floor(free / together)), own[key] ?? Number.POSITIVE_INFINITY) }
  }
  return { ...given, ...part('tokens'), ...part('cost') }
}

/** What a child may spend, or has spent when it is over. */
function allottedTo(run: Run, key: 'tokens' | 'cost'): number {
  const max = run.limits[key] ?? 0
  return isOver(run) ? max - (leftOf(run)[key] ?? 0) : max
}
