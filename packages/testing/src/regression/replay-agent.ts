/** The agent of a replay: its own instructions, tools, permissions, hooks and limits, with models, tools and time from the record. */
import { type AnyAgent, completePorts, type Ports } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { type AgentRebuilder, createRebuilder, replacePoints } from '../double/rebuild-agent.ts'
import { eventsIn } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import type { Replay } from './replay.ts'
import { recordedPrice, replayModel } from './replay-model.ts'
import { playBody, playCheck, playStep } from './replay-tools.ts'

/** No idle timeout: a recorded model may pause as long as it did. */
const neverIdle = Number.MAX_SAFE_INTEGER / 2

/** Makes the agent of a replay, its children, and tools that a run is given. */
export function replayRebuilder(replay: Replay, agent: AnyAgent, { journal, deps }: { journal: Journal; deps: unknown }): AgentRebuilder {
  const names = threadNames(journal)
  const ports = portsOf(replay, agent, names.nameOf)
  return createRebuilder({
    options(one) {
      const { options, behaviour } = definitionOf(one)
      return {
        journal: names.journal,
        ports,
        ...(one === agent && deps !== undefined && { deps }),
        model: replayModel(replay, modelOf(replay, one.name)),
        behaviour: { ...behaviour, modelIdle: neverIdle },
        observers: [],
        // Questions are answered by the record; that the run was attended is a fact of the run.
        ...(options.onQuestion && { onQuestion: () => undefined }),
      }
    },
    // Observers only look, and what they report is not in the record.
    hook: (hook) => replacePoints(hook, (_point, method) => method),
    // A durable body runs, since nothing else shows what it does between its waits; the results of its waits come from the record.
    body: (tool, run) => (tool.durable ? run : (_input, context) => playBody(replay, tool, context)),
    step: (place) => () => playStep(replay, place),
    check: () => (_key, context) => playCheck(replay, context),
  })
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
