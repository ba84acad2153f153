/** Routes about agents. */
import { definitionOf, modelId } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { anything, type Described, list, object, oneOf, optional, text } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'
import type { ServedAgent } from '../service/served-agent.ts'
import type { Service } from '../service/service.ts'

/** What is shown of a tool. */
interface ToolRow {
  readonly name: string
  readonly description?: string | undefined
  readonly effect: 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'
  readonly input: unknown
}

/** What is shown of an agent. */
interface AgentRow {
  readonly name: string
  readonly description: string
  readonly model?: string | undefined
  readonly fingerprint: string
  readonly tools?: readonly ToolRow[] | undefined
}

const most = 1 << 20

const toolRow: Described<ToolRow> = object({
  name: text('What the model calls it by.'),
  description: optional(text('What the model reads about it.', { most })),
  effect: oneOf('What may be done about a call whose outcome is not known.', 'pure', 'read', 'idempotent', 'reconcilable', 'unsafe'),
  input: anything('The JSON Schema of its arguments.'),
})

const agentRow: Described<AgentRow> = object({
  name: text('How it is called.'),
  description: text('What it is for.', { most }),
  model: optional(text('The id of its model, where it has one.')),
  fingerprint: text('Distinguishes it from a later version of itself.'),
  tools: optional(list('Its tools; absent where they are a function of the run.', toolRow)),
})

function rowOf(agent: ServedAgent): AgentRow {
  const { name, description } = agent
  const { options, toolbox, fingerprint } = definitionOf(agent)
  const { model } = options
  const tools =
    toolbox &&
    Array.from(toolbox.tools.values(), ({ spec, effect }) => ({ name: spec.name, description: spec.description, effect, input: spec.schema }))
  return { name, description, model: model === undefined ? undefined : modelId(model), fingerprint: fingerprint(), tools }
}

/** The agent of this name. */
export function agentOf({ agents }: Pick<Service, 'agents'>, name: string): ServedAgent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.keys()]
  const message = `There is no agent ${JSON.stringify(name.slice(0, 200))} here. This server has ${known.join(', ') || 'none'}.`
  throw new LoomError('LOOM_ROUTE_NOT_FOUND', message, { context: { agent: name.slice(0, 200), known } })
}

const listAgents = route({
  name: 'listAgents',
  method: 'GET',
  path: '/agents',
  scope: 'read',
  summary: 'The agents that are served.',
  reply: { schema: object({ items: list('The agents.', agentRow) }) },
  handle: ({ service }) => ({ items: [...service.agents.values()].map(rowOf) }),
})

const getAgent = route({
  name: 'getAgent',
  method: 'GET',
  path: '/agents/{agent}',
  scope: 'read',
  summary: 'An agent, with its tools.',
  reply: { schema: agentRow },
  handle: ({ service, params }) => rowOf(agentOf(service, params.agent)),
})

/** What is served. */
export const agentRoutes: readonly Route[] = [listAgents, getAgent]
