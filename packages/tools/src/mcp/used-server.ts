/** One server, as an agent uses it: its tools, its resources, its prompts. */
import { type InputPart, jsonSchema, type Tool, tool, type UserMessages } from '@loom-agent/agent'
import type { EffectClass, JsonObject } from '@loom-agent/kernel'
import type { ExitList } from './at-exit.ts'
import { createConnection } from './connection.ts'
import { checkable, type McpDefinition, type ToolClaim, type ToolText } from './definition.ts'
import { createHeldCalls } from './held-calls.ts'
import type { McpPrompt, McpResource } from './listed.ts'
import { judgedBy, markedBy } from './marked-tool.ts'
import { ruleNameOf, wireNameOf } from './names.ts'
import { isProgram, type McpNotice, type McpServer } from './options.ts'
import { createPins } from './pins.ts'
import { createResources } from './resources.ts'
import { createServerTools } from './server-tools.ts'
import { callTool, type ToolServer } from './tool-body.ts'

/** A server in use. */
export interface UsedServer {
  readonly name: string
  /** Lists its tools. A server that cannot be used has those that it had before, or none. */
  refresh(): Promise<void>
  tools(): readonly Tool[]
  definitions(): readonly McpDefinition[]
  resources(): Promise<readonly McpResource[]>
  resource(uri: string): Promise<readonly InputPart[]>
  prompts(): Promise<readonly McpPrompt[]>
  prompt(name: string, args: { readonly [name: string]: string }): Promise<UserMessages>
  close(): Promise<void>
}

/** What it is made of. */
interface Made {
  readonly name: string
  readonly server: McpServer
  readonly pins: string | undefined
  readonly atExit: ExitList
  readonly notice: (notice: McpNotice) => void
}

/** A call may wait for a person within a request: how long it may take otherwise is decided there (MCP-9). */
const day = 24 * 60 * 60_000

/** Uses a server. It is connected when something is asked of it. */
export function createUsedServer({ name, server, pins: folder, atExit, notice }: Made): UsedServer {
  const { timeout = 120_000 } = server
  const tell = (one: Omit<McpNotice, 'server'>): void => notice({ server: name, ...one })
  const calls = createHeldCalls()
  const pins = createPins(folder, name)
  const connection = createConnection({
    name,
    server,
    atExit,
    listener: { elicit: (session, params) => calls.elicit(session, params), changed: () => serverTools.changed(), notice: tell },
  })
  const serverTools = createServerTools({ name, server, connection, pins, notice: tell })
  const toolServer: ToolServer = { name, connection, calls, timeout, approved: (one, input) => serverTools.approved(one, input) }
  const resources = createResources({ name, connection, timeout, sends: !isProgram(server) })
  const toolOf = (claim: ToolClaim): Tool => {
    const { description, schema } = serverTools.shown(claim.name) ?? claim
    const effect = effectOf(server, claim)
    return tool({
      name: wireNameOf(name, claim.name),
      description: `From the MCP server ${name}, in its own words: ${description}`,
      ruleName: ruleNameOf(name, claim.name),
      version: claim.digest,
      input: jsonSchema<JsonObject>(schema, { validate: jsonSchema(checkable(schema)) }),
      effect,
      ...judgedBy(markedBy(server, claim.name, effect), {
        brings: 'untrusted',
        sends: !isProgram(server) || (effect !== 'read' && effect !== 'pure'),
        verdict: (input) => serverTools.judge(claim.name, input),
      }),
      durable: true,
      schedule: { timeout: day },
      run: (input, ctx) => callTool(toolServer, claim.name, { input, ctx }),
    })
  }
  return {
    name,
    async refresh() {
      try {
        await serverTools.refresh(0)
        await resources.refresh()
      } catch (error) {
        tell({ kind: 'unavailable', message: (error as Error).message })
      }
    },
    tools: () => [...serverTools.all().map(toolOf), ...resources.tools()],
    definitions: () =>
      serverTools
        .all()
        .map((claim) => definitionOf(name, claim, { before: serverTools.approvedBefore(claim.name), isPinned: pins.get(claim.name) !== undefined })),
    resources: () => resources.list(),
    resource: (uri) => resources.read(uri),
    prompts: () => resources.prompts(),
    prompt: (one, args) => resources.prompt(one, args),
    async close() {
      calls.close()
      await connection.close()
    },
  }
}

/** The effect class of a tool: what the options say, and the hints of the server where they are trusted. */
function effectOf({ effects = {}, trustHints = false }: McpServer, { name, hints }: ToolClaim): EffectClass {
  const said = Object.hasOwn(effects, name) ? effects[name] : undefined
  if (said !== undefined || !trustHints) return said ?? 'unsafe'
  return hints.readOnly ? 'read' : hints.idempotent ? 'idempotent' : 'unsafe'
}

interface Approval {
  readonly before: ToolText | undefined
  readonly isPinned: boolean
}

function definitionOf(server: string, claim: ToolClaim, { before, isPinned }: Approval): McpDefinition {
  const { name, description, schema, digest } = claim
  const state = before ? 'changed' : isPinned ? 'approved' : 'new'
  return {
    server,
    tool: name,
    name: wireNameOf(server, name),
    ruleName: ruleNameOf(server, name),
    description,
    schema,
    digest,
    state,
    ...(before && { approved: { description: before.description, schema: before.schema } }),
  }
}
