/** Directed graphs of names: what can be reached, which names are in cycles, which arrows follow from others. */

/** Each name with the names it points to. Every name that is pointed to is a key as well. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Makes a graph of names and arrows; an arrow from a name to itself is left out. */
export function graphOf(names: Iterable<string>, arrows: Iterable<readonly [string, string]>): Graph {
  const graph = new Map<string, Set<string>>()
  const at = (name: string): Set<string> => graph.get(name) ?? graph.set(name, new Set()).get(name) ?? new Set()
  for (const name of names) at(name)
  for (const [from, to] of arrows) {
    at(to)
    if (from !== to) at(from).add(to)
  }
  return graph
}

/** All names that can be reached from a name by one arrow or more. */
function reachableFrom(graph: Graph, name: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const open = [name]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const to of graph.get(next) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      open.push(to)
    }
  }
  return seen
}

/** The groups of names that reach each other: every cycle is within one of them. */
export function cyclesOf(graph: Graph): readonly (readonly string[])[] {
  const reach = new Map([...graph.keys()].map((name) => [name, reachableFrom(graph, name)] as const))
  const groups = new Map<string, readonly string[]>()
  for (const [name, reached] of reach) {
    if (!reached.has(name)) continue
    const group = [...reached].filter((other) => reach.get(other)?.has(name)).sort()
    groups.set(group.join(), group)
  }
  return [...groups.values()]
}

/** A shortest way through a cycle, beginning and ending with its first name. */
export function wayAround(graph: Graph, cycle: readonly string[]): readonly string[] {
  const [start = ''] = cycle
  const ways: (readonly string[])[] = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start]
      if (seen.has(next) || !cycle.includes(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return cycle
}

/** The arrows of a graph without cycles, except those that follow from others. */
export function reducedArrows(graph: Graph): readonly (readonly [string, string])[] {
  const follows = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((over) => over !== to && reachableFrom(graph, over).has(to))
  return [...graph].flatMap(([from, tos]) => [...tos].filter((to) => !follows(from, to)).map((to): readonly [string, string] => [from, to]))
}
