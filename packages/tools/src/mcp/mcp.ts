/** Servers of the Model Context Protocol, for agents. */
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { InputPart, Tool, UserMessages } from '@loom-agent/agent'
import { checkOptions } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { createExitList } from './at-exit.ts'
import type { McpDefinition } from './definition.ts'
import type { McpPrompt, McpResource } from './listed.ts'
import { lookAlikes } from './look-alikes.ts'
import { checkServerNames } from './names.ts'
import { addressShape, isProgram, type McpNotice, type McpOptions, mcpShape, programShape } from './options.ts'
import { createUsedServer, type UsedServer } from './used-server.ts'

/** Servers, as an agent uses them. */
export interface Mcp {
  /** The tools of all servers that can be reached, by the names that the model knows them by: `agent({ tools: servers.tools })`. */
  readonly tools: () => Promise<{ readonly [name: string]: Tool }>
  /** What the servers say about their tools, and which of it was approved. */
  definitions(): Promise<readonly McpDefinition[]>
  /** The resources of a server. */
  resources(server: string): Promise<readonly McpResource[]>
  /** A resource, as parts of an input. It was written by others. */
  resource(server: string, uri: string): Promise<readonly InputPart[]>
  /** The prompts of a server. */
  prompts(server: string): Promise<readonly McpPrompt[]>
  /** A prompt, as an input: `agent.run(await servers.prompt('notes', 'review'))`. */
  prompt(server: string, name: string, args?: { readonly [name: string]: string }): Promise<UserMessages>
  /** What people should know about the servers: the last 1,000 notices. */
  notices(): readonly McpNotice[]
  /** Ends all connections, and the programs with all that they have started. */
  close(): Promise<void>
}

const mostNotices = 1_000

/**
 * Servers of the Model Context Protocol. They are connected when their tools are asked for.
 *
 * @example
 * const servers = mcp({ servers: { files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'] } }, pins: 'pins' })
 * const helper = agent({ model, tools: servers.tools, permissions: { 'mcp:files/read_*': 'allow' } })
 * await servers.close()
 */
export function mcp(options: McpOptions): Mcp {
  checkOptions('mcp', options, mcpShape)
  const { servers, pins, onNotice } = options
  checkServerNames(Object.keys(servers))
  for (const [name, server] of Object.entries(servers)) checkOptions(`mcp: servers.${name}`, server, isProgram(server) ? programShape : addressShape)
  if (pins !== undefined) checkOutside(pins)
  const notices: McpNotice[] = []
  const notice = (one: McpNotice): void => {
    notices.push(one)
    if (notices.length > mostNotices) notices.shift()
    onNotice?.(one)
  }
  const atExit = createExitList()
  const used = Object.entries(servers).map(([name, server]) => createUsedServer({ name, server, pins: pins && resolve(pins), atExit, notice }))
  const find = (name: string): UsedServer => used.find((one) => one.name === name) ?? noServer(name, Object.keys(servers))
  const alike = lookAlikes(notice)
  return {
    async tools() {
      await Promise.all(used.map((one) => one.refresh()))
      return Object.fromEntries(alike(used.map((one) => ({ server: one.name, tools: one.tools() }))).map((tool) => [tool.name, tool]))
    },
    async definitions() {
      await Promise.all(used.map((one) => one.refresh()))
      return used.flatMap((one) => one.definitions())
    },
    resources: async (server) => find(server).resources(),
    resource: async (server, uri) => find(server).resource(uri),
    prompts: async (server) => find(server).prompts(),
    prompt: async (server, name, args = {}) => find(server).prompt(name, args),
    notices: () => [...notices],
    async close() {
      await Promise.all(used.map((one) => one.close()))
    },
  }
}

/** Pins that tools can write approve themselves. */
function checkOutside(folder: string): void {
  const way = relative(process.cwd(), resolve(folder))
  if (way.startsWith(`..${sep}`) || way === '..' || isAbsolute(way)) return
  const message = `mcp: the folder of pins ${folder} is in the folder of this process. Give one that its tools cannot write, such as one in the home folder.`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { folder } })
}

function noServer(name: string, known: readonly string[]): never {
  throw new LoomError('LOOM_OPTION_INVALID', `There is no MCP server called ${JSON.stringify(name)}. The servers are: ${known.join(', ')}.`, {
    context: { name },
  })
}
