/** What the tests of MCP share: worlds that are closed, and agents that call one tool. */
import { agent, memoryJournal, type Policy, type Result } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import type { Mcp } from '@loom-agent/tools/mcp'
import { callsOnce } from '../../../../test/support/calling-model.ts'
import { type McpWorld, mcpWorld } from '../../../../test/support/mcp/mcp-world.ts'
import type { Script } from '../../../../test/support/mcp/script.ts'

/** Worlds that a test has opened. */
export interface Worlds {
  open(script: Script): McpWorld
  close(): Promise<void>
}

/** Keeps the worlds of a file of tests. */
export function keepWorlds(): Worlds {
  const worlds: McpWorld[] = []
  return {
    open(script) {
      const world = mcpWorld(script)
      worlds.push(world)
      return world
    },
    async close() {
      for (const world of worlds.splice(0)) await world.close()
    },
  }
}

/** An agent that calls one tool. */
export const caller = (servers: Mcp, tool: string, options: { input?: object; permissions?: Policy; journal?: Journal } = {}) => {
  const { input = {}, permissions = { 'mcp:*': 'allow' }, journal = memoryJournal() } = options
  return agent({ name: 'caller', model: callsOnce(tool, input), tools: servers.tools, permissions, journal })
}

/** The result of its call. */
export const outputOf = (result: Result<string>): unknown => result.steps[0]?.calls[0]?.output

/** Calls a tool that is allowed. */
export const call = async (servers: Mcp, tool: string, input: object = {}): Promise<unknown> =>
  outputOf(await caller(servers, tool, { input }).run('Go.'))

/** A result of one text. */
export const textResult = (text: string): object => ({ content: [{ type: 'text', text }] })
