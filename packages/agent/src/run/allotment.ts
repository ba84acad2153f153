/**
 * What a child is allotted of what its parent has left.
 *
 * ALLOT-1. The limits of a run on tokens, cost, calls and children hold for its whole tree: what the children of a run were allotted, and what they and the run
 *     have used, is never more than the limit. What siblings were allotted is not available, whether or not they use it.
 */
import { type Frame, isOver, type Limits, type Outbox, openCalls, type Run } from '@loom-agent/kernel'
import { leftOf } from '../model/budget.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'

const shared = ['tokens', 'cost', 'calls', 'children'] as const
type Shared = (typeof shared)[number]
type Allotment = { readonly [K in Shared]?: number }

/** What this process has allotted to children whose runs may not be stored yet. */
const allotments = new WeakMap<Outbox, Map<string, Allotment>>()

function allottedBy(outbox: Outbox): Map<string, Allotment> {
  const known = allotments.get(outbox) ?? new Map<string, Allotment>()
  allotments.set(outbox, known)
  return known
}

/** What is left of the limits of a run that hold for its tree; undefined where there is none. */
function leftFor(run: Run): { readonly [K in Shared]: number | undefined } {
  const { calls, children } = run.limits
  const left = (limit: number | undefined, used: number): number | undefined => (limit === undefined ? undefined : Math.max(0, limit - used))
  return { ...leftOf(run), calls: left(calls, run.called), children: left(children, run.children) }
}

/** The children that each open call of a run has open. */
const childrenIn = (run: Run): readonly (readonly string[])[] => openCalls(run).map(({ open }) => open.flatMap((step) => step.child ?? []))

/** A child that is about to be started, and the limits of its own agent. */
export interface NewChild {
  readonly child: string
  readonly own: Limits
}

/** What a child of the run may use: its own limits, at most its part of what is left. */
export async function allotmentFor(threads: ThreadCache, outbox: Outbox, { child, own }: NewChild): Promise<Allotment> {
  const { run } = outbox.frame as Frame & { readonly run: Run }
  const siblings = childrenIn(run)
    .flat()
    .filter((id) => id !== child)
  const runOf = async (id: string): Promise<Run | undefined> => (await threads.load(id)).frame.run
  const existing = await runOf(child)
  const loaded = await Promise.all(siblings.map(async (id) => [id, await runOf(id)] as const))
  // From here on nothing is waited for: of two children that start together, the second sees what the first was allotted.
  const known = allottedBy(outbox)
  if (existing) {
    // It was started before, and has its part.
    known.set(child, allottedTo(existing))
    return Object.fromEntries(shared.flatMap((key) => (existing.limits[key] === undefined ? [] : [[key, existing.limits[key]]])))
  }
  const shares = loaded.flatMap(([id, sibling]) => (sibling ? [allottedTo(sibling)] : (known.get(id) ?? [])))
  // Any other call that has no child yet may start one.
  const together = 1 + siblings.length - shares.length + childrenIn(run).filter((children) => children.length === 0).length
  const allotment: { -readonly [K in Shared]?: number } = {}
  for (const key of shared) {
    const rest = leftFor(run)[key]
    const most = own[key]
    const free = rest === undefined ? undefined : shares.reduce((sum, share) => sum - (share[key] ?? 0), rest)
    // Calls and children have a limit by default: one part is left to the parent, which may start others before these end.
    const parts = key === 'calls' || key === 'children' ? together + 1 : together
    const part = free === undefined ? undefined : Math.max(0, Math.floor(free / parts))
    const allotted = Math.min(part ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(allotted)) allotment[key] = allotted
  }
  known.set(child, allotment)
  return allotment
}

/** What a child may use, or has used when it is over. */
function allottedTo(run: Run): Allotment {
  const left = leftFor(run)
  const of = (key: Shared): number => Math.max(0, (run.limits[key] ?? 0) - (isOver(run) ? (left[key] ?? 0) : 0))
  return { tokens: of('tokens'), cost: of('cost'), calls: of('calls'), children: of('children') }
}

/** Whether a run may start one more child: what its open children were allotted counts as used. */
export function mayStartChild(outbox: Outbox): boolean {
  const { run } = outbox.frame
  const left = run && leftFor(run).children
  if (!run || left === undefined) return true
  const known = allottedBy(outbox)
  const open = childrenIn(run).flat()
  return open.reduce((sum, id) => sum - (known.get(id)?.children ?? 0), left) >= 1
}
