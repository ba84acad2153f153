/** Calling a tool of a server: what is sent, and what the reply is. */
import type { JsonObject } from '@loom-agent/kernel'
import type { ToolClaim } from './definition.ts'
import { askedOf, elicitedBy } from './elicitation.ts'
import type { HeldCalls, Sent } from './held-calls.ts'
import { type Asked, boundedResult, type Given, type Reply } from './reply.ts'
import { anyObject } from './schemas.ts'
import { intervalOf } from './tasks.ts'

/** A call to send. */
export interface Calling extends Pick<Sent, 'session' | 'timeout' | 'signal' | 'progress'> {
  readonly calls: HeldCalls
  readonly claim: ToolClaim
  readonly input: JsonObject
  /** The key of the call, for servers that recognise a repeated one. */
  readonly key: string
  /** What the server sent with its question, and the answers (2026). */
  readonly answered?: { readonly state: string | undefined; readonly given: Given }
}

/** The longest time of the SDK's own timer: how long a request may take is decided here (MCP-9). */
const never = 2 ** 31 - 1

/** Calls a tool, or goes on with a call whose questions have been answered. */
export function callServer(calling: Calling): Promise<Reply> {
  const { calls, session, timeout, signal, progress } = calling
  return calls.begin({ session, timeout, signal, progress, send: (options) => send(calling, { ...options, timeout: never }) })
}

type Options = Parameters<Sent['send']>[0] & { readonly timeout: number }

async function send({ session, claim, input, key, answered }: Calling, options: Options): Promise<Reply> {
  const { client, hasTasks } = session
  const params = { name: claim.name, arguments: input, _meta: { 'loom/key': key } }
  if (claim.tasks === 'must' && !hasTasks) {
    return {
      kind: 'failed',
      why: 'not-sent',
      message: "runs this tool as a task only, and this connection has no tasks. Set protocol: '2025' for it",
    }
  }
  if (claim.tasks !== 'never' && hasTasks) {
    const made = await client.request({ method: 'tools/call', params: { ...params, task: {} } }, anyObject, options)
    const { task } = made
    return typeof task === 'object' && task !== null && 'taskId' in task && typeof task['taskId'] === 'string'
      ? { kind: 'task', task: task['taskId'], every: intervalOf(task) }
      : boundedResult(made)
  }
  const more = answered && {
    inputResponses: Object.fromEntries(Object.entries(answered.given).map(([name, answer]) => [name, elicitedBy(answer)])),
    ...(answered.state !== undefined && { requestState: answered.state }),
  }
  const result: object = await client.callTool({ ...params, ...more }, { ...options, allowInputRequired: true, toolDefinition: definitionOf(claim) })
  return 'resultType' in result && result.resultType === 'input_required' ? inputOf(result as JsonObject) : boundedResult(result as JsonObject)
}

const definitionOf = ({ name, schema }: ToolClaim): { name: string; inputSchema: { type: 'object' } } => ({
  name,
  inputSchema: { ...schema, type: 'object' },
})

/** What a server asks by its result. */
function inputOf({ inputRequests, requestState }: JsonObject): Reply {
  const entries = Object.entries((inputRequests ?? {}) as { readonly [name: string]: { readonly method?: unknown; readonly params?: unknown } })
  const asks = Object.fromEntries(entries.slice(0, 16).map(([name, request]): [string, Asked] => [name, askedOf(request.method, request.params)]))
  const state = typeof requestState === 'string' ? requestState : undefined
  if (entries.length > 16) return { kind: 'failed', why: 'refused', message: `asked ${entries.length} questions at once; 16 are allowed` }
  return { kind: 'input', asks, ...(state !== undefined && { state }) }
}
