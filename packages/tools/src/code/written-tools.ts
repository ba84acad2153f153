/**
 * Tools that a model writes, and how it uses them.
 *
 * CREATED-3. A written tool is a fact: the arguments that counted of a call of `create_tool` that was started and succeeded. So it is there after a
 *     restart, in another process and in a fork, and it is what was approved, to the letter.
 * CREATED-4. The list of tools that models are shown never changes: a written tool is used through `use_tool`, and stands in the result that made it.
 */
import { type CallMatcher, type CallPart, jsonSchema, type Tool, type ToolContext, tool } from '@loom-agent/agent'
import { workOf } from '@loom-agent/agent/kit'
import { type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { type GuestLimits, runGuest } from '../sandbox/run-guest.ts'
import { codeWords, longestCode } from './code-options.ts'
import { codeResult } from './guest-result.ts'
import { createName, toolsIn } from './recorded-tools.ts'
import { definitionProblem, describeTool, refused, type ToolDefinition, type WrittenTool } from './tool-definition.ts'

const createSchema = jsonSchema<ToolDefinition>({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Letters, digits, _ and -.' },
    description: { type: 'string', minLength: 1, description: 'What it does and returns.' },
    input: { type: 'object', description: 'The JSON Schema of its input, with the type object.' },
    code: { type: 'string', minLength: 1, maxLength: longestCode, description: codeWords },
  },
  required: ['name', 'description', 'input', 'code'],
  additionalProperties: false,
})

/** The input of `use_tool`. */
interface UseInput {
  readonly name: string
  readonly input?: JsonObject
}

const useSchema = jsonSchema<UseInput>({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 64, description: 'The name of the tool.' },
    input: { type: 'object', description: 'Its input; default: an empty object.' },
  },
  required: ['name'],
  additionalProperties: false,
})

/** Writes a tool: its code is shown whole in the question, and runs nowhere but in a process of its own. */
export function createTool(limits: GuestLimits): Tool {
  return tool({
    name: createName,
    description: 'Makes a tool out of code, for work that will be done again. People read and approve the code. Use it by use_tool.',
    input: createSchema,
    // Its only effect is the record of its own call.
    effect: 'pure',
    permission: 'ask',
    async run(given, context) {
      const problem = definitionProblem(given)
      if (problem !== undefined) return refused(problem)
      const { code } = given
      const end = await runGuest({ task: 'check', code, input: null }, limits, context.signal)
      if (end.status !== 'done') return codeResult(end, limits)
      return `The tool is there. Use it with use_tool.\n${describeTool(given)}`
    },
  })
}

interface ListInput {
  readonly name?: string
}

const listSchema = jsonSchema<ListInput>({
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, maxLength: 64, description: 'Shows the code of this one, too.' } },
  additionalProperties: false,
})

/** Lists the written tools of the thread. */
export function listTools(): Tool {
  return tool({
    name: 'list_tools',
    description: 'Lists the tools that create_tool made earlier. Look here before you make another one.',
    input: listSchema,
    // It reads its own thread alone, as it is where the call stands.
    effect: 'pure',
    run({ name }, context) {
      const known = [...toolsIn(workOf(context).outbox.frame.history).values()]
      if (name !== undefined) {
        const found = known.find((one) => one.name === name)
        return found ? `${describeTool(found)}\nIts code:\n${found.code}` : refused(missing(name, known))
      }
      return known.length === 0 ? 'No tool was made on this thread. Make one with create_tool.' : known.map(describeTool).join('\n\n')
    },
  })
}

/** Uses a written tool. */
export function useTool(limits: GuestLimits): Tool {
  return tool({
    name: 'use_tool',
    description: 'Uses a tool that create_tool made earlier.',
    input: useSchema,
    // Code reads the clock of its process, and nothing else of the world.
    effect: 'read',
    matcher: nameMatcher,
    schedule: { timeout: limits.time + 60_000 },
    run: (given, context) => use(given, context, limits),
  })
}

async function use({ name, input = {} }: UseInput, context: ToolContext, limits: GuestLimits): Promise<unknown> {
  const tools = toolsIn(workOf(context).outbox.frame.history)
  const found = tools.get(name)
  if (!found) return refused(missing(name, [...tools.values()]))
  const checked = await jsonSchema(found.input)['~standard'].validate(input)
  if (checked.issues) {
    const problems = checked.issues.slice(0, 5).map(({ message }) => message)
    const words = problems.join('; ').slice(0, 500).replace(/\.+$/, '')
    return refused(`The input does not fit ${name}: ${words}. ${describeTool(found)}`)
  }
  const end = await runGuest({ task: 'run', code: found.code, input: input as Json }, limits, context.signal)
  return codeResult(end, limits)
}

function missing(name: string, known: readonly WrittenTool[]): string {
  const words = `No tool ${JSON.stringify(name.slice(0, 80))} was made on this thread.`
  return known.length === 0 ? `${words} Make it with create_tool.` : `${words} There are:\n${known.map(describeTool).join('\n').slice(0, 4_000)}`
}

/** How rules such as `use_tool(parse_*)` name written tools. */
const nameMatcher: CallMatcher<UseInput, CallPart> = {
  parts: ({ name }) => [{ text: name }],
  compile(pattern) {
    if (!/^[A-Za-z_*][A-Za-z0-9_*-]*$/.test(pattern)) {
      throw new LoomError('LOOM_OPTION_INVALID', `${JSON.stringify(pattern)} names no tool. Give a name; * stands for any characters.`, {
        context: { pattern },
      })
    }
    const names = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'u')
    const matches = ({ text }: CallPart): boolean => names.test(text)
    return { names: matches, mayMean: matches }
  },
}
