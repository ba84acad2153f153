/** Routes about agents: what they are, and trying their tools by hand. */
import { hookPoints, type Mode, type Verdict } from '@loom-agent/agent'
import { type EffectClass, type Limits, LoomError } from '@loom-agent/kernel'
import { anything, type Described, flag, list, named, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'
import { type AgentRow, describeAgent, type PolicyRow, type ToolRow } from '../service/describe-agent.ts'
import { mayUse, threadNotFound } from '../service/find-thread.ts'
import { oneCallModel } from '../service/one-call-model.ts'
import type { ServedAgent } from '../service/served-agent.ts'
import type { Service } from '../service/service.ts'
import { startOf } from '../service/started-run.ts'
import { startedRun } from './schemas.ts'

const most = 1 << 20
const verdict: Described<Verdict> = oneOf('What happens to a call.', 'allow', 'ask', 'deny')
const effect: Described<EffectClass> = oneOf(
  'What may be done about a call whose outcome is not known.',
  ...(['pure', 'read', 'idempotent', 'reconcilable', 'unsafe'] as const),
)
const mode: Described<Mode> = oneOf('How far it trusts what no rule names.', 'plan', 'default', 'accept-edits', 'auto', 'bypass')

const toolRow: Described<ToolRow> = object({
  name: text('What the model calls it by.'),
  description: optional(text('What the model reads about it.', { most })),
  effect,
  input: anything('The JSON Schema of its arguments.'),
  permission: oneOf('Its own verdict where no rule matches; `by call`: a function says it of each call.', 'allow', 'ask', 'deny', 'by call'),
  ruleName: optional(text('Another name by which rules name it.', { most })),
  isDurable: flag('Its body may wait, and is entered again.'),
  isSerial: flag('Its calls run beside no other serial call.'),
  timeout: optional(whole('Milliseconds after which a call ends; default 120,000.')),
})

const policyRow: Described<PolicyRow> = object({
  mode,
  isShadow: flag('It only watches.'),
  rules: list(
    'Its rules: the strictest of those that match a call decides.',
    object({
      id: text('Its name in records.', { most }),
      tool: text('The tools that it is about.', { most }),
      verdict,
      effects: optional(list('Only tools of these effect classes.', effect)),
      input: optional(anything('Patterns of arguments.')),
      isConditional: flag('It also asks code.'),
      reason: optional(text('Why; shown to people and to the model.', { most })),
      approvers: optional(whole('How many people must approve.')),
      expires: optional(whole('Milliseconds after which an unanswered question counts as rejected.')),
    }),
  ),
  defaults: list('The verdicts where no rule matches, by layer.', object({ id: text('Of which layer.'), verdict })),
})

const agentRow: Described<AgentRow> = object({
  name: text('How it is called.'),
  description: text('What it is for.', { most }),
  model: optional(text('The id of its model, where it has one.')),
  fingerprint: text('Distinguishes it from a later version of itself.'),
  tools: optional(list('Its tools; absent where they are a function of the run.', toolRow)),
  instructions: optional(text('Its instructions; absent where it has none, or a function says them.', { most })),
  output: optional(anything('The JSON Schema of its answer.')),
  permissions: optional(policyRow),
  limits: named<Limits>('Limits', '@loom-agent/kernel', 'What a run of it may use at most.'),
  settings: optional(anything('The settings of its model.')),
  context: text('The name of its context strategy.', { most }),
  window: optional(whole('Tokens of a request with its reply, where that is said.')),
  hooks: list(
    'Its hooks, in order.',
    object({ name: optional(text('Its name.', { most })), points: list('Where it is called.', oneOf('A point.', ...hookPoints)) }),
  ),
  guards: list('The names of its guards, in order.', text('A name.', { most })),
  workspace: optional(text('The name of the folder whose files a rewind puts back.', { most })),
  functions: list('What is a function of the run, and so is not shown.', oneOf('A field.', 'instructions', 'tools', 'deps')),
})

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
  handle: ({ service }) => ({ items: [...service.agents.values()].map(describeAgent) }),
})

const getAgent = route({
  name: 'getAgent',
  method: 'GET',
  path: '/agents/{agent}',
  scope: 'read',
  summary: 'An agent, with its tools, its rules and its limits.',
  reply: { schema: agentRow },
  handle: ({ service, params }) => describeAgent(agentOf(service, params.agent)),
})

function noTool(agent: AgentRow, tool: string): LoomError {
  const known = agent.tools?.map(({ name }) => name)
  const which = known ? `It has ${known.join(', ') || 'none'}.` : 'Its tools are a function of the run.'
  const message = `The agent ${agent.name} has no tool ${JSON.stringify(tool.slice(0, 200))} that can be tried. ${which}`
  return new LoomError('LOOM_ROUTE_NOT_FOUND', message, { context: { agent: agent.name, tool: tool.slice(0, 200) } })
}

/** A call by hand has no place in a conversation. A thread that is there must be that of the same start. */
async function requireNew({ journal }: Pick<Service, 'journal'>, thread: string, id: string): Promise<void> {
  for (const { type, data } of await journal.read(thread, { limit: 8 })) {
    if (type !== 'run.started') continue
    if ('request' in data && data.request.start?.id === id) return
    const message = `The thread ${thread} is there already, and a tool is tried on a thread of its own. Leave thread out, or name one that is new.`
    throw new LoomError('LOOM_THREAD_BUSY', message, { context: { thread } })
  }
}

const tryTool = route({
  name: 'tryTool',
  method: 'POST',
  path: '/agents/{agent}/tools/{tool}/tries',
  scope: 'run',
  summary: 'Calls a tool by hand, as a run of one turn on a thread of its own: permissions, questions, limits and the record are those of any call.',
  body: object({
    input: anything('The arguments.'),
    thread: optional(text('The thread, which must be new; default: made up.', { least: 1 })),
    id: optional(text('The id of this start: sent again with the same arguments, it calls nothing a second time.', { least: 1 })),
  }),
  reply: { status: 202, schema: startedRun },
  async handle({ service, identity, params, body, request }) {
    const agent = agentOf(service, params.agent)
    const row = describeAgent(agent)
    if (!row.tools?.some(({ name }) => name === params.tool)) throw noTool(row, params.tool)
    const id = body.id ?? request.headers.get('idempotency-key') ?? crypto.randomUUID()
    const thread = body.thread ?? `try-${id}`
    if (!mayUse(identity, thread)) throw threadNotFound(thread)
    await requireNew(service, thread, id)
    const leave = service.admission.enterRun(identity.name)
    try {
      const said = `${identity.name} calls ${params.tool} by hand: ${JSON.stringify(body.input)}`
      // One turn: the agent's own model is not asked what it makes of the result.
      const options = { id, thread, model: oneCallModel(params.tool, body.input), limits: { turns: 1 }, metadata: { byHand: params.tool } }
      const handle = agent.start(said, { ...options, whenBusy: 'reject' })
      handle.result().then(leave, leave)
      return await startOf(handle, id)
    } catch (error) {
      leave()
      throw error
    }
  },
})

/** What is served. */
export const agentRoutes: readonly Route[] = [listAgents, getAgent, tryTool]
