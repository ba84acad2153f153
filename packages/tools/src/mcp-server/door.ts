/** The requests of clients: listing what is served, and calling it. */
import { answer, type Question, questions, type Result } from '@loom-agent/agent'
import { isLoomError, type JsonObject } from '@loom-agent/kernel'
import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { loadServer } from '../mcp/sdk.ts'
import { answerOf, formOf } from './question-form.ts'
import { errorResult, type ToolResult } from './run-result.ts'
import type { ServeMcpOptions } from './serve-options.ts'
import type { Served, ServedRun } from './served.ts'

/** What a door is made of. */
interface Made {
  readonly options: ServeMcpOptions
  readonly served: ReadonlyMap<string, Served>
  readonly secret: string
  readonly active: { count: number }
}

/** Makes servers of the SDK: one for each connection, or for each request. */
export interface Door {
  /** Loads the SDK; returns what makes a server for a caller. */
  factory(): Promise<(by: string) => Server>
}

/** What a client carries between the question and its answer. */
interface State extends ServedRun {
  readonly tool: string
}

type Mint = (state: State, context: ServerContext) => Promise<string>

/** One request of a client. */
interface Requested {
  readonly made: Made
  readonly one: Served
  readonly context: ServerContext
  readonly by: string
  readonly mint: Mint
  /** Whether the client shows forms. */
  readonly asks: boolean
}

/** The names under which a client says what its call is called, and what it can do. */
const idKey = 'loom/id'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** Seconds that a client may take to answer. */
const answerTime = 24 * 60 * 60

/** Makes a door. */
export function createDoor(made: Made): Door {
  const { options, served, secret } = made
  const { name, version = '1.0.0' } = options
  return {
    async factory() {
      const { Server: ServerOfSdk, createRequestStateCodec } = await loadServer()
      const bind = ({ http }: ServerContext): string => http?.authInfo?.clientId ?? ''
      const codec = createRequestStateCodec<State>({ key: secret, ttlSeconds: answerTime, bind })
      return (by) => {
        const server = new ServerOfSdk(
          { name, version },
          {
            capabilities: { tools: {} },
            requestState: { verify: (state, context) => codec.verify(state, context) },
            inputRequired: { maxRounds: 32, roundTimeoutMs: answerTime * 1_000 },
          },
        )
        server.setRequestHandler('tools/list', () => ({ tools: [...served.values()].map(listed) }))
        server.setRequestHandler('tools/call', async ({ params }, context) => {
          const one = served.get(params.name)
          if (!one)
            return errorResult(
              `There is no tool called ${JSON.stringify(params.name.slice(0, 80))}. The tools are: ${[...served.keys()].join(', ')}.`,
            )
          const asks = capabilitiesIn(context, server)?.elicitation !== undefined
          return handled({ made, one, context, by, mint: codec.mint, asks }, (params.arguments ?? {}) as JsonObject)
        })
        return server
      }
    },
  }
}

/** What a client can do: it says so with each request (2026), or when it connects. */
function capabilitiesIn({ mcpReq }: ServerContext, server: Server): { readonly elicitation?: object | undefined } | undefined {
  const envelope = mcpReq.envelope as { readonly [key: string]: unknown } | undefined
  return (envelope?.[capabilitiesKey] as { readonly elicitation?: object } | undefined) ?? server.getClientCapabilities()
}

const listed = ({ name, description, schema, effect }: Served) => ({
  name,
  description,
  inputSchema: { ...schema, type: 'object' as const },
  annotations: { readOnlyHint: effect === 'pure' || effect === 'read', idempotentHint: effect === 'idempotent' },
})

/** Handles a call: whatever goes wrong is a result that says what to do. */
async function handled(requested: Requested, input: JsonObject): Promise<ToolResult | Awaited<ReturnType<typeof ask>>> {
  const { options, active } = requested.made
  if (active.count >= (options.concurrency ?? 32)) return errorResult('The server is busy with other calls. Try again later.')
  active.count += 1
  try {
    const state = requested.context.mcpReq.requestState<State>()
    return state?.tool === requested.one.name ? await goneOnWith(requested, state) : await begun(requested, input)
  } catch (error) {
    return errorResult(isLoomError(error) ? error.message : `${requested.one.name} failed. Tell the one who runs this server.`)
  } finally {
    active.count -= 1
  }
}

/** Begins a run, or finds the one that the call has begun before. */
async function begun(requested: Requested, input: JsonObject): Promise<ToolResult | Awaited<ReturnType<typeof ask>>> {
  const { one, context, by } = requested
  const named = context.mcpReq._meta?.[idKey]
  const call = { input, id: typeof named === 'string' && named !== '' ? named.slice(0, 100) : undefined, by }
  const run = one.place(call)
  return concluded(requested, run, await one.start(call, run))
}

/** Goes on with a run whose questions a client has answered. */
async function goneOnWith(requested: Requested, run: State): Promise<ToolResult | Awaited<ReturnType<typeof ask>>> {
  const { made, one, context, by } = requested
  const { journal } = made.options
  for (const question of await questions(journal, { thread: run.thread })) {
    const response = context.mcpReq.inputResponses?.[question.id]
    if (response === undefined) continue
    const given = await answerOf(journal, question, { response, by: by === '' ? 'an MCP client' : by })
    if (!given) return left([question], run)
    await answer(journal, question.id, given).catch(unlessSettled)
  }
  return concluded(requested, run, await one.resume(run))
}

/** Somebody else may have answered meanwhile. */
function unlessSettled(error: unknown): void {
  if (!isLoomError(error) || error.code !== 'LOOM_QUESTION_SETTLED') throw error
}

async function concluded(requested: Requested, run: ServedRun, result: Result<unknown>): Promise<ToolResult | Awaited<ReturnType<typeof ask>>> {
  const { one, asks } = requested
  if (result.status !== 'waiting') return one.result(result, run)
  if (result.questions.length === 0)
    return errorResult(`The run waits (${result.reason}), and goes on by itself. Call again with the id ${run.name} to get its result.`)
  return asks ? ask(requested, run, result.questions) : left(result.questions, run)
}

/** What a client reads that cannot ask, or whose user has not decided. */
function left(open: readonly Question[], { name }: ServedRun): ToolResult {
  const told = open.map(({ id, prompt }) => `- ${prompt} (question ${id})`).join('\n')
  return errorResult(
    `A person has to decide before this can go on:\n${told}\nNothing is lost: answer the question on the side of the server, then call again with the id ${name}.`,
  )
}

/** Asks through the client. */
async function ask({ made, one, context, mint }: Requested, run: ServedRun, open: readonly Question[]) {
  const { inputRequired } = await loadServer()
  const forms = await Promise.all(
    open.map(async (question) => [question.id, inputRequired.elicit((await formOf(made.options.journal, question)) as never)] as const),
  )
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: await mint({ ...run, tool: one.name }, context) })
}
