/** The agent of a replay: its own instructions, tools, permissions, hooks and limits, with models, tools and time from the record. */
import { type AgentOptions, type AnyAgent, completePorts, createAgentFactory, type Hook, type Ports, type ToolSet } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { hookPoints, type Journal } from '@loom-agent/kernel'
import { eventsIn } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import type { Replay } from './replay.ts'
import { recordedPrice, replayModel } from './replay-model.ts'
import { replayTools, type ToolWorld } from './replay-tools.ts'

/** An agent of any dependencies and output. */
type ReplayableAgent = ReturnType<ReturnType<typeof createAgentFactory>>

/** An agent in a replay, and how tools that a run is given are replaced. */
export interface ReplayedAgent {
  readonly agent: ReplayableAgent
  readonly tools: (set: ToolSet<never>) => ToolSet<never>
}

/** The same agent in a replay, with its children. */
export function replayAgent(replay: Replay, agent: AnyAgent, { journal, deps }: { journal: Journal; deps: unknown }): ReplayedAgent {
  const known = new Map<AnyAgent, ReplayableAgent>()
  const names = threadNames(journal)
  const ports = portsOf(replay, agent, names.nameOf)
  const world: ToolWorld = { replay, agent: <A extends AnyAgent>(one: A) => inReplay(one) as AnyAgent as A }
  const inReplay = (one: AnyAgent): ReplayableAgent => {
    const already = known.get(one)
    if (already) return already
    const made = createAgentFactory(definitionOf(one).host)(
      optionsOf(world, one, { journal: names.journal, ports, ...(one === agent && deps !== undefined && { deps }) }),
    )
    known.set(one, made)
    return made
  }
  return { agent: inReplay(agent), tools: (set) => replayTools(world, set) }
}

/** No idle timeout: a recorded model may pause as long as it did. */
const neverIdle = Number.MAX_SAFE_INTEGER / 2

function optionsOf(world: ToolWorld, agent: AnyAgent, given: object): AgentOptions {
  const { name } = agent
  const { options, behaviour } = definitionOf(agent)
  const { tools, hooks, onQuestion } = options
  const toolsOf = (set: ToolSet<never>): ToolSet<never> => replayTools(world, set)
  const replayed = {
    ...options,
    ...given,
    model: replayModel(world.replay, modelOf(world.replay, name)),
    behaviour: { ...behaviour, modelIdle: neverIdle },
    observers: [],
    ...(tools !== undefined && { tools: typeof tools === 'function' ? async (at: never) => toolsOf(await tools(at)) : toolsOf(tools) }),
    ...(hooks && { hooks: hooks.map(withoutObserver) }),
    // Questions are answered by the record; that the run was attended is a fact of the run.
    ...(onQuestion && { onQuestion: () => undefined }),
  }
  return replayed as object as AgentOptions
}

/** The model of the first run of an agent; a run that had another one is given it. */
function modelOf({ fixture }: Replay, name: string): string {
  for (const recorded of fixture.threads) {
    const events = eventsIn(recorded)
    if (!events.some((event) => event.type === 'thread.started' && event.data.agent === name)) continue
    const [id] = modelsIn(events).values()
    if (id !== undefined) return id
  }
  return 'replay/model'
}

/** Observers only look, and what they report is not in the record. */
function withoutObserver(hook: Hook<never>): Hook<never> {
  const points = hookPoints.flatMap((point) => {
    const method = hook[point] as ((...given: unknown[]) => unknown) | undefined
    return method ? [[point, method.bind(hook)] as const] : []
  })
  return { ...(hook.name !== undefined && { name: hook.name }), ...(Object.fromEntries(points) as Hook<never>) }
}

/** The threads of a journal by their incarnations, which differ in a replay: the ids of children and keys derive from them. */
function threadNames(journal: Journal): { readonly journal: Journal; readonly nameOf: (incarnation: string) => string } {
  const names = new Map<string, string>()
  return {
    journal: {
      ...journal,
      acquire(thread, claim) {
        names.set(claim.incarnation, thread)
        return journal.acquire(thread, claim)
      },
      append(thread, batch) {
        names.set(batch.incarnation, thread)
        return journal.append(thread, batch)
      },
    },
    nameOf: (incarnation) => names.get(incarnation) ?? incarnation,
  }
}

function portsOf(replay: Replay, agent: AnyAgent, nameOf: (incarnation: string) => string): Partial<Ports> {
  const { hash } = completePorts(definitionOf(agent).options.ports)
  let ids = 0
  return {
    clock: replay.clock,
    ids: () => {
      ids += 1
      return `replay-${replay.progress}-${ids}`
    },
    random: () => 0,
    // Children have the names that they had, also where their parent's was redacted.
    hash: (text) => {
      const incarnation = text.slice(0, text.indexOf('/'))
      const named = `${nameOf(incarnation)}${text.slice(incarnation.length)}`
      return replay.children.get(named) ?? hash(named)
    },
    price: recordedPrice(replay),
    development: false,
  }
}
