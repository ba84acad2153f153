/**
 * What the agents of all worlds have besides what Loom does by itself. It is what the documentation recommends for an agent that reads what others wrote:
 *
 * - what only reads runs, and everything else asks;
 * - a few commands that only read run, and a task may be handed to a child, which may do no more than its parent;
 * - a payment or a mail is made once: the same again is denied;
 * - a run has limits that its tasks do not reach.
 */
import type { CallFacts, Policy } from '@loom-agent/agent'
import { canonicalJson, type Limits } from '@loom-agent/kernel'
import type { Guards } from './guards.ts'
import { anything } from './toolset.ts'

/** Commands that only read, as patterns. */
export const readingCommands: readonly string[] = ['git status *', 'git log *', 'ls *', 'wc *']

const wasMade = ({ tool, input, calls }: CallFacts): boolean => {
  for (const call of calls) if (call.tool === tool && canonicalJson(call.input) === canonicalJson(input)) return true
  return false
}

const once = ['pay', 'send_mail'].map((tool) => ({ tool, when: wasMade, verdict: 'deny', reason: 'it was made before' }) as const)

/** Whether a command begins like one that only reads: what somebody writes who does not read commands as a shell does. */
const beginsWell = ({ input }: CallFacts): boolean =>
  readingCommands.some((pattern) => String((input as { command?: unknown }).command).startsWith(pattern.slice(0, -2)))

/** The permissions of a world. */
export function worldPolicy({ permissions, commands }: Guards): Policy {
  if (!permissions) return anything
  const byWords = readingCommands.map((pattern) => ({ tool: `bash(${pattern})`, verdict: 'allow' }) as const)
  const reading = commands ? byWords : [{ tool: 'bash', when: beginsWell, verdict: 'allow' } as const]
  const children = ['task', 'helper'].map((tool) => ({ tool, verdict: 'allow' }) as const)
  const harmless = { tool: '*', effect: ['pure', 'read'], verdict: 'allow' } as const
  return { rules: [harmless, ...reading, ...children, ...once], default: 'ask' }
}

/** What a run of a world may use. */
export function worldLimits({ limits }: Guards): Limits {
  return limits ? { turns: 25, calls: 60, children: 4 } : { turns: 110, calls: 10_000, children: 1000, loop: false }
}
