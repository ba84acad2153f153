/** Code of a model, as tools: it runs, and it makes tools of its own. */
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'
import type { Json } from '@loom-agent/kernel'
import { type GuestLimits, runGuest } from '../sandbox/run-guest.ts'
import { type CodeToolsOptions, codeWords, limitsOf, longestCode } from './code-options.ts'
import { codeResult } from './guest-result.ts'
import { createTool, listTools, useTool } from './written-tools.ts'

/** The tools, by name. */
export interface CodeTools {
  /** Runs JavaScript. */
  readonly run_code: Tool
  /** Makes a tool out of JavaScript; asks. */
  readonly create_tool: Tool
  /** Uses a tool that was made so. */
  readonly use_tool: Tool
  /** Lists the tools that were made so. */
  readonly list_tools: Tool
  readonly [name: string]: Tool
}

/** The input of `run_code`. */
interface CodeInput {
  readonly code: string
  readonly input?: Json
}

const codeSchema = jsonSchema<CodeInput>({
  type: 'object',
  properties: {
    code: { type: 'string', minLength: 1, maxLength: longestCode, description: codeWords },
    input: { description: 'What input is; default: null.' },
  },
  required: ['code'],
  additionalProperties: false,
})

/**
 * Tools for JavaScript that the model writes. Each piece of code runs in a process of its own, in an engine without network, files, clocks to wait for or
 * modules. Needs the package `quickjs-emscripten`.
 *
 * @example
 * const analyst = agent({ name: 'analyst', model, tools: codeTools() })
 */
export function codeTools(options: CodeToolsOptions = {}): CodeTools {
  const limits = limitsOf(options)
  return { run_code: runCode(limits), create_tool: createTool(limits), use_tool: useTool(limits), list_tools: listTools() }
}

function runCode(limits: GuestLimits): Tool {
  return tool({
    name: 'run_code',
    description: 'Runs JavaScript and returns its result and what it printed. Use it to compute, and to work on data.',
    input: codeSchema,
    // Code reads the clock of its process, and nothing else of the world.
    effect: 'read',
    schedule: { timeout: limits.time + 60_000 },
    async run({ code, input = null }, { signal }) {
      return codeResult(await runGuest({ task: 'run', code, input }, limits, signal), limits)
    },
  })
}
