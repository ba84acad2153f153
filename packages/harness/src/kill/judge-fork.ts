/** Judges a fork by what the world saw: what its past holds does not happen again, and everything after the cut happens once, under its own ids. */
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { eventsOf, type Finding } from '@loom-agent/testing/crash'
import { effectName } from '../plan/plan.ts'
import type { Ending } from './reporter.ts'
import type { PerformedEffect } from './world-server.ts'

/** The threads of a tree, each with the calls that lead to it. The threads of two trees of one plan have the same paths. */
export type TreePaths = ReadonlyMap<string, string>

/** The paths of a tree. A fork has the children that it started itself, and those that had ended in its past. */
export async function treePathsOf(journal: Journal, root: string): Promise<TreePaths> {
  const paths = new Map([[root, '']])
  for (const [thread, path] of paths) {
    for (const event of await ownEvents(journal, thread)) {
      if (event.type === 'child.started') paths.set(event.data.child, `${path}${event.data.call}/`)
    }
  }
  return paths
}

/** The events that a thread has itself: those of a fork begin after the cut. */
async function ownEvents(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const head = await journal.head(thread)
  return (await eventsOf(journal, thread)).filter(({ seq }) => seq > (head?.forkOf?.seq ?? 0))
}

/** What is known of a fork and of the tree that it was cut from, when both have ended. */
export interface ForkEvidence {
  readonly journal: Journal
  readonly root: { readonly thread: string; readonly paths: TreePaths; readonly text: string }
  readonly fork: { readonly thread: string; readonly paths: TreePaths; readonly ending: Ending }
  readonly effects: readonly PerformedEffect[]
}

/** Judges a fork. */
export async function judgeFork({ journal, root, fork, effects }: ForkEvidence): Promise<readonly Finding[]> {
  const found: Finding[] = []
  const { thread: at, ending } = fork
  if (ending.status !== 'done' || ending.text !== root.text)
    found.push({ kind: 'ending', at, message: `it ended as ${ending.status}: ${ending.text}, and not: ${root.text}` })
  const inherited = await inheritedBy(journal, at)
  const planned = namesOf(effects, root.paths)
  const performed = namesOf(effects, fork.paths)
  for (const [name, own] of performed) {
    const keys = new Set(own.map(({ key }) => key)).size
    const isRepeated = keys > 1 || (own[0]?.effect === 'unsafe' && own.length > 1)
    if (isRepeated) found.push({ kind: 'duplicate', at, message: `${name} happened ${own.length} times under ${keys} keys` })
    else if (inherited(own[0] as PerformedEffect, fork.paths))
      found.push({ kind: 'duplicate', at, message: `${name} is in its past, and happened again` })
    else if (!planned.has(name)) found.push({ kind: 'duplicate', at, message: `${name} happened, and is not planned` })
  }
  for (const [name, own] of planned) {
    if (!performed.has(name) && !inherited(own[0] as PerformedEffect, root.paths))
      found.push({ kind: 'missing', at, message: `${name} did not happen` })
  }
  return found
}

/** Effects by what they are called in any tree of the plan. */
function namesOf(effects: readonly PerformedEffect[], paths: TreePaths): ReadonlyMap<string, readonly PerformedEffect[]> {
  const own = effects.filter(({ thread }) => paths.has(thread))
  return Map.groupBy(own, ({ kind, thread, call, step }) =>
    effectName({ kind, thread: `/${paths.get(thread)}`, call, ...(step !== undefined && { step }) }),
  )
}

/** Whether the past of a fork holds the result of an effect: of its call, of its step, or of the child that it happened in. */
async function inheritedBy(journal: Journal, fork: string): Promise<(effect: PerformedEffect, paths: TreePaths) => boolean> {
  const cut = (await journal.head(fork))?.forkOf?.seq ?? 0
  const past = (await eventsOf(journal, fork)).filter(({ seq }) => seq <= cut)
  const settled = new Set<string>()
  for (const { type, data } of past) {
    if (type === 'tool.finished') settled.add(data.call)
    if (type === 'child.finished') settled.add(`${data.call}/`)
    if (type === 'tool.step-finished') settled.add(`${data.call} ${data.key}`)
  }
  return ({ thread, call, step }, paths) => {
    const path = paths.get(thread) ?? ''
    const rootCall = path === '' ? call : (path.split('/')[0] ?? '')
    return settled.has(rootCall) || (path !== '' && settled.has(`${rootCall}/`)) || (path === '' && settled.has(`${call} ${step}`))
  }
}
