/**
 * Handing a part of the work to a child, as a tool.
 *
 * TASK-1. A task is a child of its call: its thread, its budget, its stop and its rights follow from that of the parent, and after a crash the same child is
 *         found again by the record of the call. The body has no effects of its own.
 * TASK-2. A child never gets tools that the program did not list, whatever the model asks for.
 */
import { type Agent, type ChildResult, jsonSchema, type Policy, type Tool, tool } from '@loom-agent/agent'
import { checkOptions, checkToolName, definitionOf, type Expected, expected, isTool, nearest } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'

/** The options of `taskTool()`. */
export interface TaskToolOptions {
  /** The agent that does the tasks: its model, instructions, settings and limits. Its tools are replaced for each task. */
  readonly agent: Agent
  /** The tools that a task may be given, by name; default: none. */
  readonly tools?: Readonly<Record<string, Tool>> | Iterable<Tool>
  /** The names of the tools that a task has when none are asked for; default: `read_file`, `glob` and `grep`, where they are among `tools`. */
  readonly defaults?: readonly string[]
  /** What the child may do, and never more than its parent; default: the permissions of `agent`, or `taskPermissions` where it has none. */
  readonly permissions?: Policy
  /** Turns that a task may take; default: those of `agent`, or 10. */
  readonly turns?: number
}

/** The arguments of `task`. */
interface TaskInput {
  readonly description: string
  readonly prompt: string
  readonly tools?: readonly string[]
}

/** What became of a task. */
interface TaskOutcome {
  readonly task: string
  readonly status: 'completed' | 'stopped'
  readonly result: unknown
  readonly turns: number
  readonly reason?: string
}

/**
 * What a task may do by default: use tools that only read, as far as these allow it themselves, ask before it runs a command, and nothing else.
 */
export const taskPermissions: Policy = {
  rules: [
    {
      tool: '*',
      effect: ['idempotent', 'reconcilable', 'unsafe'],
      when: ({ tool: name }) => name !== 'bash',
      verdict: 'deny',
      reason: 'a task only reads',
    },
    { tool: 'bash', verdict: 'ask', reason: 'a task wants to run a command' },
  ],
  // Where no rule matches, the verdict of the tool itself comes before this one.
  default: 'allow',
  keepDenials: true,
}

const usual: readonly string[] = ['read_file', 'glob', 'grep']
const longestPrompt = 100_000

const schemaOf = (names: readonly string[]) =>
  jsonSchema<TaskInput>({
    type: 'object',
    properties: {
      description: { type: 'string', minLength: 1, maxLength: 200, description: 'The task in 3 to 5 words.' },
      prompt: {
        type: 'string',
        minLength: 1,
        maxLength: longestPrompt,
        description: 'The task, with everything that is needed to do it: the child knows nothing else.',
      },
      ...(names.length > 0 && {
        tools: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 100,
          description: `Names of tools that the task needs, of: ${names.join(', ')}.`,
        },
      }),
    },
    required: ['description', 'prompt'],
    additionalProperties: false,
  })

const taskShape: Readonly<Record<keyof TaskToolOptions, Expected>> = {
  agent: {
    words: 'an agent, as agent() returns it',
    fits: (value) => expected.object.fits(value) && (value as Agent).kind === 'agent',
    required: true,
  },
  tools: { words: 'tools, by name or as a list', fits: (value) => typeof value === 'object' && value !== null },
  defaults: expected.list(expected.text, 'a list of names of tools'),
  permissions: expected.object,
  turns: expected.whole(1),
}

/**
 * The tool `task`: hands a part of the work to a child agent with a thread of its own, and returns its answer. Tasks of one reply run side by side.
 *
 * @example
 * const task = taskTool({ agent: agent({ name: 'explorer', model }), tools: fileTools({ root: '.' }) })
 */
export function taskTool(options: TaskToolOptions): Tool {
  checkOptions('taskTool', options, taskShape)
  const { agent: worker, turns } = options
  const own = definitionOf(worker).options
  const permissions = options.permissions ?? own.permissions ?? taskPermissions
  const limits = { ...own.limits, ...(turns !== undefined && { turns }) }
  const toolbox = toolboxOf(options.tools ?? {})
  const defaults = options.defaults ?? usual.filter((name) => toolbox.has(name))
  for (const name of defaults) if (!toolbox.has(name)) throw unknownDefault(name, toolbox)
  const names = [...toolbox.keys()]
  return tool({
    name: 'task',
    description: `Hands a task to a child agent that works on its own and returns its answer. Without tools it has: ${defaults.join(', ') || 'none'}.`,
    input: schemaOf(names),
    effect: 'idempotent',
    durable: true,
    schedule: { parallel: true },
    async run({ description, prompt, tools }, context) {
      const chosen = new Set(tools === undefined || tools.length === 0 ? defaults : tools)
      const unknown = [...chosen].find((name) => !toolbox.has(name))
      if (unknown !== undefined) return unknownTool(unknown, names)
      if (prompt.trim() === '') return invalid('The prompt is blank. Say what is to be done.', { prompt: '' })
      const chosenTools = Object.fromEntries([...toolbox].filter(([name]) => chosen.has(name)))
      const child = worker.with({ tools: chosenTools, permissions, limits })
      return outcomeOf(description, await context.run(child, prompt))
    },
  })
}

function toolboxOf(given: NonNullable<TaskToolOptions['tools']>): ReadonlyMap<string, Tool> {
  const entries = Symbol.iterator in given ? [...(given as Iterable<Tool>)].map((one) => [one?.name, one] as const) : Object.entries(given)
  for (const [name, one] of entries) {
    if (!isTool(one))
      throw new LoomError('LOOM_TOOL_INVALID', `taskTool: ${String(name)} is not a tool. Give tool(...).`, { context: { name: String(name) } })
    checkToolName(name)
  }
  return new Map(entries)
}

function unknownDefault(name: string, toolbox: ReadonlyMap<string, Tool>): LoomError {
  const known = [...toolbox.keys()]
  const message = `taskTool: defaults has "${name}", which is not among its tools: ${known.join(', ') || 'there are none'}.`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { name, known } })
}

const invalid = (message: string, context: { readonly [name: string]: string }): LoomError =>
  new LoomError('LOOM_TOOL_INPUT_INVALID', message, { context })

function unknownTool(name: string, names: readonly string[]): LoomError {
  const near = nearest(name, names)
  const advice = near ? `Did you mean ${near}?` : `The tools are: ${names.join(', ') || 'none'}.`
  return invalid(`A task cannot be given the tool "${name.slice(0, 80)}". ${advice}`, { tool: name.slice(0, 80) })
}

/** What the parent reads: the real status, and as much of an answer as there is. A task that failed is an error. */
function outcomeOf(task: string, result: ChildResult<unknown>): TaskOutcome | LoomError {
  const { turns, text } = result
  switch (result.status) {
    case 'done':
      return { task, status: 'completed', result: typeof result.output === 'string' ? text : result.output, turns }
    case 'stopped':
      return { task, status: 'stopped', result: text, turns, reason: result.reason }
    case 'failed':
      return new LoomError('LOOM_TOOL_FAILED', `The task "${task}" failed: ${result.error.message}`, { context: { task, code: result.error.code } })
  }
}
