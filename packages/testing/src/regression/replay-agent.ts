/** The agent of a replay: its own instructions, tools, permissions, hooks and limits, with models, tools and time from the record. */
import type { AnyAgent, Ports } from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { type AgentRebuilder, createRebuilder, replacePoints } from '../double/rebuild-agent.ts'
import { replayHash } from './noise.ts'
import { modelsIn } from './recorded-models.ts'
import type { Replay } from './replay.ts'
import { recordedPrice, replayModel } from './replay-model.ts'
import { awaitStep, playBody, playCheck, playDurable, playStep, recordedDeadline } from './replay-tools.ts'

/** No idle timeout: a recorded model may pause as long as it did. */
const neverIdle = Number.MAX_SAFE_INTEGER / 2

/** Makes the agent of a replay, its children, and tools that a run is given. */
export function replayRebuilder(replay: Replay, agent: AnyAgent, deps: unknown): AgentRebuilder {
  const ports = portsOf(replay)
  return createRebuilder({
    options(one) {
      const { options, behaviour } = definitionOf(one)
      return {
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
    body: (tool, run) => (input, context) => {
      const enter = (): unknown => run(input, context)
      return tool.durable ? playDurable(replay, context, enter()) : playBody(replay, { tool, context, run: enter })
    },
    step: (place) => () => playStep(replay, place),
    beforeStep: (place) => awaitStep(replay, place),
    deadline: (place) => recordedDeadline(replay, place),
    check: () => (_key, context) => playCheck(replay, context),
  })
}

/** The model of the first run of an agent; a run that had another one is given it. */
function modelOf({ threads }: Replay, name: string): string {
  for (const { events } of threads.values()) {
    if (!events.some((event) => event.type === 'thread.started' && event.data.agent === name)) continue
    const [id] = modelsIn(events).values()
    if (id !== undefined) return id
  }
  return 'replay/model'
}

function portsOf(replay: Replay): Partial<Ports> {
  let ids = 0
  return {
    clock: { now: () => replay.current?.clock.now() ?? 0, at: (time, ring) => replay.current?.clock.at(time, ring) ?? (() => {}) },
    ids: () => {
      ids += 1
      return `replay-${ids}`
    },
    random: () => 0,
    // Ids of children and keys of calls are those of the fixture (RECORDED-13).
    hash: replayHash,
    price: recordedPrice(replay),
    development: false,
  }
}
