/** What is served: each agent and each tool, with how a call of it becomes a run. */
import { createHash, randomUUID } from 'node:crypto'
import { type Agent, agent, jsonSchema, type Result } from '@loom-agent/agent'
import { checkToolName, compileTools } from '@loom-agent/agent/kit'
import { type EffectClass, type JsonObject, LoomError } from '@loom-agent/kernel'
import { callerModel } from './caller-model.ts'
import { agentResult, type ToolResult, toolResult } from './run-result.ts'
import type { ServeMcpOptions } from './serve-options.ts'

/** A call of a client. */
export interface ServedCall {
  readonly input: JsonObject
  /** The id that the client gives the call, if it does. */
  readonly id: string | undefined
  readonly by: string
}

/** A run that a call has made, or goes on with. */
export interface ServedRun {
  /** The thread of the run, and the name that the client knows it by. */
  readonly thread: string
  readonly name: string
}

/** Something that is served. */
export interface Served {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  readonly effect: EffectClass
  /** Which run a call is. */
  place(call: ServedCall): ServedRun
  start(call: ServedCall, run: ServedRun): Promise<Result<unknown>>
  resume(run: ServedRun): Promise<Result<unknown>>
  result(result: Result<unknown>, run: ServedRun): ToolResult
}

const idRule = { type: 'string', minLength: 1, maxLength: 100 } as const

const agentSchema: JsonObject = {
  type: 'object',
  properties: {
    prompt: { type: 'string', minLength: 1, maxLength: 200_000, description: 'What the agent is to do.' },
    thread: { ...idRule, description: 'Goes on with an earlier conversation: the thread of its result.' },
    id: { ...idRule, description: 'Names this call: the same call under the same id is done once.' },
  },
  required: ['prompt'],
  additionalProperties: false,
}

/** The thread of a call: of its caller, its tool and its name alone. */
function threadOf(server: string, parts: readonly string[]): string {
  return `mcp-${createHash('sha256')
    .update(JSON.stringify([server, ...parts]))
    .digest('hex')
    .slice(0, 40)}`
}

/** Everything that is served, by name. */
export function servedBy(options: ServeMcpOptions): ReadonlyMap<string, Served> {
  const { agents = {}, tools = {} } = options
  const all = [...Object.entries(agents).map(([name, one]) => servedAgent(name, one, options)), ...servedTools(options)]
  if (all.length === 0) throw new LoomError('LOOM_OPTION_INVALID', 'serveMcp: there is nothing to serve. Give agents, or tools.')
  for (const name of Object.keys(agents)) {
    checkToolName(name)
    if (Object.hasOwn(tools, name)) {
      throw new LoomError('LOOM_TOOL_DUPLICATE', `serveMcp: an agent and a tool are called "${name}". Rename one.`, { context: { name } })
    }
  }
  return new Map(all.map((one) => [one.name, one]))
}

function servedTools({ name: server, tools = {}, permissions, journal, limits }: ServeMcpOptions): readonly Served[] {
  const { specs, tools: ready } = compileTools(tools)
  if (specs.length === 0) return []
  const caller = agent({
    name: `${server} (MCP)`,
    model: callerModel(),
    tools,
    journal,
    ...(permissions && { permissions }),
    ...(limits && { limits }),
  })
  return specs.map(({ name, description = '', schema }) => ({
    name,
    description,
    schema,
    effect: ready.get(name)?.effect ?? 'unsafe',
    place({ id, by }) {
      const key = id ?? randomUUID()
      return { thread: threadOf(server, ['tool', name, by, key]), name: key }
    },
    start: ({ input }, { thread, name: key }) => caller.run(JSON.stringify({ tool: name, input }), { thread, id: key }),
    resume: ({ thread }) => caller.resume(thread).result(),
    result: toolResult,
  }))
}

const checked = jsonSchema<JsonObject>(agentSchema)

function servedAgent(name: string, given: Agent, { name: server, journal, limits }: ServeMcpOptions): Served {
  const own = given.with({ journal, ...(limits && { limits }) })
  return {
    name,
    description: given.description === '' ? `Hands a task to the agent ${name}.` : given.description,
    schema: agentSchema,
    effect: 'unsafe',
    place({ input, id = textIn(input, 'id'), by }) {
      const thread = textIn(input, 'thread') ?? id ?? randomUUID()
      return { thread: threadOf(server, ['agent', name, by, thread]), name: thread }
    },
    async start({ input, id = textIn(input, 'id') }, { thread }) {
      const verdict = await checked['~standard'].validate(input)
      if (verdict.issues)
        throw new LoomError('LOOM_TOOL_INPUT_INVALID', `The arguments of ${name} do not fit: ${verdict.issues[0]?.message ?? ''}`, {
          context: { agent: name },
        })
      return own.run(String(input['prompt']), { thread, ...(id !== undefined && { id }) })
    },
    resume: ({ thread }) => own.resume(thread).result(),
    result: (result, run) => agentResult(result, run.name),
  }
}

function textIn(input: JsonObject, key: string): string | undefined {
  const value = input[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}
