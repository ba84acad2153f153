/** The options of an agent of the original Python project, and their counterparts. */
import { type Journal, LoomError } from '@loom-agent/kernel'
import type { AgentOptions } from '../definition/agent-options.ts'
import type { Hook } from '../hook/hook.ts'
import type { Model } from '../model/model.ts'
import type { Policy } from '../permission/policy.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { tool } from '../tool/define.ts'
import type { ToolLike, ToolSet } from '../tool/tool-set.ts'
import type { Behaviour } from '../types/behaviour.ts'
import { jsonSchema } from '../types/schema.ts'
import { type PermissionMap, permissionMap } from './permissions.ts'

/** The options of an agent in the original Python project. Everything else that Loom offers is an option of `agent()`. */
export interface CompatOptions {
  /** The model that answers: an AI SDK model object, or an id where something resolves ids. */
  readonly llm?: Model
  /** The same as `llm`. */
  readonly llmProvider?: Model
  /** The agent's name; default `agent`. */
  readonly nodeId?: string
  /** The instructions; default: none. */
  readonly systemPrompt?: string
  /** The same as `systemPrompt`. */
  readonly systemInstructions?: string
  /** None when it is empty or absent. */
  readonly tools?: ToolSet<unknown>
  /** Turns of a run; default 50. */
  readonly maxIterations?: number
  /** Calls that run at once; default 10. */
  readonly maxConcurrency?: number
  /** The run ends only through the tool `done`; one reminder is given. Default false. */
  readonly requireDoneTool?: boolean
  /** Permissions as a map of tool names to verdicts; not together with `toolPolicy`. */
  readonly permissionPolicy?: PermissionMap
  /** Permissions as a policy of Loom; not together with `permissionPolicy`. */
  readonly toolPolicy?: Policy
  /** Hooks in the original form are given through `lifecycleHook(...)`. */
  readonly hooks?: readonly Hook[]
  /** Where the facts are kept; default: in memory. */
  readonly eventJournal?: Journal
  /** The thread of all runs; a fresh one each when absent. */
  readonly threadId?: string
  /** The temperature of model calls; default: the provider's. */
  readonly temperature?: number
  /** Output tokens of a model call at most; default: the provider's. */
  readonly maxTokens?: number
}

/** The options that are understood. */
export const compatOptionKeys: readonly (keyof CompatOptions)[] = [
  'llm',
  'llmProvider',
  'nodeId',
  'systemPrompt',
  'systemInstructions',
  'tools',
  'maxIterations',
  'maxConcurrency',
  'requireDoneTool',
  'permissionPolicy',
  'toolPolicy',
  'hooks',
  'eventJournal',
  'threadId',
  'temperature',
  'maxTokens',
]

/** The options that are not understood here, and what to do instead. */
export const movedOptions: { readonly [option: string]: string } = {
  provider: 'Give a model object as llm, or use agent({ model: "provider/name" }).',
  model: 'Give a model object as llm, or use agent({ model: "provider/name" }).',
  apiKey: 'A key belongs to the model object that is given as llm.',
  baseUrl: 'An address belongs to the model object that is given as llm.',
  enablePersistence: 'Every run is journaled. Give eventJournal to say where.',
  journalPath: 'Give eventJournal: a journal knows its own place.',
  maxContextTokens: 'The window is the one of the model.',
  contextWindow: 'The window is the one of the model.',
  toolTimeout: 'A time-out belongs to its tool: tool({ schedule: { timeout } }).',
  contextDebugger: 'What was sent to the model is in the journal; agent.preview() shows what would be sent next.',
  sessionIsolation: 'A thread has one run at a time. Choose behaviour.whenBusy: queue, steer or reject.',
  knowledgeBase: 'Retrieval is a context strategy: agent({ context }).',
  memory: 'The journal remembers a thread. There is no memory across threads yet; keep what must last in a tool of your own.',
  memoryConfig: 'The journal remembers a thread. There is no memory across threads yet; keep what must last in a tool of your own.',
  sharedPool: 'There is no memory that agents share yet; give them a tool that reads and writes it.',
  compressionThreshold: 'Compression is a context strategy: agent({ context }).',
}

const done = tool({
  name: 'done',
  description: 'Call this when the task is finished, with the result.',
  input: jsonSchema<{ result?: string }>({ type: 'object', properties: { result: { type: 'string' } } }),
  effect: 'pure',
  run: ({ result }) => result ?? 'Done.',
})

/** The options of an agent of Loom's. */
export function agentOptionsOf(options: CompatOptions): AgentOptions {
  for (const key of Object.keys(options ?? {})) {
    const advice = movedOptions[key]
    if (advice !== undefined) throw new LoomError('LOOM_OPTION_UNKNOWN', `The option ${key} is not taken here. ${advice}`, { context: { key } })
  }
  checkOptions('Agent', options, Object.fromEntries(compatOptionKeys.map((key) => [key, expected.anything])))
  const { requireDoneTool = false, tools = [], hooks = [], temperature, maxTokens, maxIterations } = options
  const settings = defined<NonNullable<AgentOptions['settings']>>({ temperature, maxOutputTokens: maxTokens })
  return defined<AgentOptions>({
    model: options.llm ?? options.llmProvider,
    name: options.nodeId,
    instructions: options.systemPrompt ?? options.systemInstructions,
    settings: Object.keys(settings).length > 0 ? settings : undefined,
    permissions: policyOf(options),
    limits: maxIterations === undefined ? undefined : { turns: maxIterations },
    journal: options.eventJournal,
    tools: requireDoneTool ? withDone(tools) : tools,
    hooks,
    behaviour: defined<Behaviour>({ concurrency: options.maxConcurrency, requireDone: requireDoneTool ? 'done' : undefined }),
  })
}

/** Options without those that are undefined. */
function defined<T extends object>(options: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

function policyOf({ permissionPolicy, toolPolicy }: CompatOptions): Policy | undefined {
  if (permissionPolicy && toolPolicy) {
    throw new LoomError('LOOM_OPTION_INVALID', 'Both permissionPolicy and toolPolicy are given. Give one: there is one policy.')
  }
  return permissionPolicy ? permissionMap(permissionPolicy) : toolPolicy
}

function withDone(tools: ToolSet<unknown>): ToolSet<unknown> {
  if (!Array.isArray(tools)) return { done, ...(tools as { readonly [name: string]: ToolLike<unknown> }) }
  const listed = tools as readonly ToolLike<unknown>[]
  return listed.some(({ name }) => name === 'done') ? listed : [...listed, done]
}
