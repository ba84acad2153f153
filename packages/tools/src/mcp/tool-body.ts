/**
 * The body of a server's tool: durable, so that questions and tasks outlast the process.
 *
 * MCP-13. A call is sent once: in a step that is in doubt when its process is lost. What the server asks is asked as a question of the thread, and its tasks are
 *     waited for without a process.
 * MCP-14. What is sent is what was judged: a definition that has changed since the call was judged is not used.
 */
import { type DurableContext, jsonSchema } from '@loom-agent/agent'
import type { Answer, Json, JsonObject, LoomError } from '@loom-agent/kernel'
import type { Connection, Session } from './connection.ts'
import type { ToolClaim } from './definition.ts'
import { withDefaults } from './elicitation.ts'
import { failure, reasonOf } from './failure.ts'
import type { HeldCalls } from './held-calls.ts'
import { type Asked, type Given, guardedReply, type Reply } from './reply.ts'
import { callServer } from './request.ts'
import { returned } from './result.ts'
import { cancelTask, watchTask } from './tasks.ts'

/** What a tool needs of its server. */
export interface ToolServer {
  readonly name: string
  readonly connection: Connection
  readonly calls: HeldCalls
  readonly timeout: number
  /** The definition that this call may be sent under; undefined where it has changed since it was judged. */
  approved(tool: string, input: unknown): Promise<ToolClaim | undefined>
}

type Context = Pick<DurableContext, 'key' | 'step' | 'ask' | 'sleep' | 'progress'>

/** One call. */
interface Call {
  readonly server: ToolServer
  readonly tool: string
  readonly input: JsonObject
  readonly ctx: Context
}

/** How often a server may ask within one call, and be out of reach in a row with an open task; milliseconds between two looks at a long task. */
const most = { asks: 16, unreached: 20, sleep: 10 * 60_000 }

/** Calls a tool of a server, until it has a result. */
export async function callTool(
  server: ToolServer,
  tool: string,
  { input, ctx }: { readonly input: JsonObject; readonly ctx: Context },
): Promise<unknown> {
  const call: Call = { server, tool, input, ctx }
  let reply = await sent(call, 'call')
  let sleep = 1_000
  let unreached = 0
  let asks = 0
  for (;;) {
    switch (reply.kind) {
      case 'result':
        return returned(reply.result, { server: server.name, tool })
      case 'failed':
        return failed(call, reply)
      case 'input':
        asks += 1
        if (asks > most.asks) return failed(call, { kind: 'failed', why: 'broken', message: `has asked more than ${most.asks} times` })
        reply = await answered(call, reply)
        break
      case 'task': {
        const { task, every } = reply
        reply = await look(call, task, every)
        if (reply.kind !== 'task') break
        unreached = reply.unreached ? unreached + 1 : 0
        if (unreached > most.unreached)
          return failed(call, { kind: 'failed', why: 'lost', message: `cannot be reached to ask for the task ${task.slice(0, 80)}` })
        await ctx.sleep(sleep)
        sleep = Math.min(sleep * 2, most.sleep)
        break
      }
      case 'gone': {
        const answer = await ctx.ask(
          `${server.name} was waiting for an answer when the connection ended: whether ${tool} has done something is not known. Call it again?`,
          {
            name: 'again',
          },
        )
        if (answer.kind !== 'approve') return failed(call, { kind: 'failed', why: 'lost', message: 'lost the call, and it was not to be made again' })
        reply = await sent(call, 'call again')
      }
    }
  }
}

/** What a step does. */
type Step = (at: { readonly key: string; readonly signal: AbortSignal }) => Promise<Reply>

/** What guards look at of a reply: what it says, not what is sent back as it was. */
const guarded = (reply: unknown, look: Parameters<typeof guardedReply>[1]): Promise<Reply> => guardedReply(reply as Reply, look)

/** A step whose record is a reply. */
const step = (ctx: Context, name: string, run: Step): Promise<Reply> => ctx.step<unknown>(name, run, { guarded }) as Promise<Reply>

/** Sends the call, once. */
function sent({ server, tool, input, ctx }: Call, name: string, more?: { state: string | undefined; given: Given }): Promise<Reply> {
  return step(ctx, name, ({ key, signal }) =>
    reached(server, async (session) => {
      const claim = more || name !== 'call' ? await server.approved(tool, undefined) : await server.approved(tool, input)
      if (!claim)
        return { kind: 'failed', why: 'not-sent', message: 'has changed the definition of this tool since the call was approved. Call it again' }
      const foreground = { session, calls: server.calls, timeout: server.timeout, signal, progress: (data: unknown) => ctx.progress(data) }
      return callServer({ ...foreground, claim, input, key, ...(more && { answered: more }) })
    }),
  )
}

/** Does something with a connected server. What cannot be reached has not happened. */
async function reached(server: ToolServer, work: (session: Session) => Promise<Reply>): Promise<Reply> {
  let session: Session
  try {
    session = await server.connection.session()
  } catch (error) {
    return { kind: 'failed', why: 'not-sent', message: (error as Error).message }
  }
  const reply = await work(session)
  if (reply.kind !== 'failed' || reply.why === 'refused') server.connection.succeeded()
  const broken = session.broken()
  return reply.kind === 'failed' && reply.why === 'lost' && broken !== undefined ? { ...reply, why: 'broken', message: broken } : reply
}

/** Looks at a task. Nothing changes by it, so that a process that is lost while it does is no reason to ask anybody. */
function look({ server, ctx }: Call, task: string, every: number): Promise<Reply> {
  const { calls, timeout } = server
  const watched = async (signal: AbortSignal): Promise<Reply> => {
    let session: Session
    try {
      session = await server.connection.session()
    } catch {
      return { kind: 'task', task, every, unreached: true }
    }
    try {
      return await watchTask({ session, calls, task, every, timeout, signal, progress: (data) => ctx.progress(data) })
    } catch (error) {
      if (signal.aborted) await cancelTask(session, task)
      throw error
    }
  }
  return ctx.step<unknown>('look at task', ({ signal }) => watched(signal), { effect: 'read', guarded }) as Promise<Reply>
}

/** Asks what the server asks, and gives it the answers. */
async function answered(call: Call, { asks, state, held, task }: Extract<Reply, { kind: 'input' }>): Promise<Reply> {
  const { server, ctx } = call
  const given: { [name: string]: Answer } = {}
  for (const [name, asked] of Object.entries(asks)) {
    if ('refused' in asked) {
      if (held === undefined) return { kind: 'failed', why: 'refused', message: `cannot go on: ${asked.refused}` }
      given[name] = { kind: 'reject' }
    } else given[name] = await ask(call, name, asked)
  }
  if (held === undefined) return sent(call, 'answer', { state, given })
  const reply = await step(ctx, 'answer', ({ signal }) =>
    server.calls.resume(held, given, { signal, progress: (data: unknown) => ctx.progress(data) }),
  )
  // A task is still there when the request for its result is not.
  return reply.kind === 'gone' && task !== undefined ? { kind: 'task', task, every: 1_000 } : reply
}

/** Asks a person. The question says who asks. */
async function ask({ server, tool, ctx }: Call, name: string, asked: Exclude<Asked, { refused: string }>): Promise<Answer> {
  const answer = await ctx.ask(`The MCP server ${server.name} asks, for ${tool}: ${asked.message}`, {
    name,
    schema: jsonSchema<Json>(asked.schema),
    show: { server: server.name, tool, form: asked.schema },
  })
  return withDefaults(answer as Answer, asked)
}

/** Why a call has no result, as the model reads it. */
function failed({ server, tool }: Call, { why, message }: Extract<Reply, { kind: 'failed' }>): LoomError {
  const { name } = server
  if (why === 'not-sent')
    return failure(name, 'LOOM_TOOL_UNAVAILABLE', message.startsWith('The MCP server') ? message : `The MCP server ${name} ${message}.`)
  if (why === 'refused')
    return failure(name, 'LOOM_TOOL_FAILED', `The MCP server ${name} refused the call of ${tool}: ${reasonOf(message)}. Check the arguments.`)
  const code = why === 'timeout' ? 'LOOM_TOOL_TIMEOUT' : 'LOOM_TOOL_FAILED'
  return failure(
    name,
    code,
    `The MCP server ${name} ${reasonOf(message)}. Whether ${tool} has done something is not known: verify it before you call it again.`,
  )
}
