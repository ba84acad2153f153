/**
 * The connection to a server: made by the first that needs it, shared by all, made again when it has ended.
 *
 * MCP-8. A server that ends again and again is started less and less often: nothing waits for it longer than it takes to connect.
 */
import { isLoomError } from '@loom-agent/kernel'
import type { Client, Transport } from '@modelcontextprotocol/client'
import type { ExitList } from './at-exit.ts'
import { failure, unavailable } from './failure.ts'
import { addressTransport } from './http-transport.ts'
import { isProgram, type McpAddress, type McpNotice, type McpServer } from './options.ts'
import { loadClient } from './sdk.ts'
import { programTransport } from './stdio-transport.ts'

/** What servers may ask of a client, and what they tell it. */
export interface Listener {
  /** A server of the protocol of 2025 asks a person something, within a call. */
  elicit(session: Session, params: unknown): Promise<object>
  /** The list of tools has changed. */
  changed(): void
  /** Something that people should know. */
  notice(notice: Omit<McpNotice, 'server'>): void
}

/** A connection that is up. */
export interface Session {
  readonly client: Client
  /** Whether it runs tools as tasks. */
  readonly hasTasks: boolean
  /** Why this side has ended the connection. */
  readonly broken: () => string | undefined
  /** Tells a server over HTTP that nobody will come back. */
  readonly leave: () => Promise<void>
}

/** The connection to one server. */
export interface Connection {
  /** The session, connected if it has to be. */
  session(): Promise<Session>
  /** Notes that the server has done something well: from then on it is started again at once. */
  succeeded(): void
  /** Ends the connection for good. */
  close(): Promise<void>
}

/** What a connection is made of. */
interface Made {
  readonly name: string
  readonly server: McpServer
  readonly listener: Listener
  readonly atExit: ExitList
}

/** Milliseconds before the next try, by how often in a row it has failed. */
const pauses: readonly number[] = [0, 0, 500, 2_000, 8_000, 30_000]

/** The longest pause that a call waits for. */
const longestWait = 1_000

/** Makes a connection, which connects when it is used. */
export function createConnection(made: Made): Connection {
  const { name, listener } = made
  let current: Promise<Session> | undefined
  let failures = 0
  let retryAt = 0
  let isClosed = false
  const failed = (): void => {
    failures += 1
    retryAt = Date.now() + (pauses[Math.min(failures, pauses.length - 1)] ?? 0)
  }
  const connect = async (): Promise<Session> => {
    const wait = retryAt - Date.now()
    if (wait > longestWait) {
      const seconds = Math.ceil(wait / 1_000)
      throw failure(name, 'LOOM_TOOL_UNAVAILABLE', `The MCP server ${name} has failed ${failures} times in a row. It is tried again in ${seconds} s.`)
    }
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    try {
      return await open(made, (session) => {
        current = undefined
        if (isClosed) return
        failed()
        const why = session.broken()
        listener.notice({ kind: why === undefined ? 'unavailable' : 'broken', message: `The MCP server ${name} has ended${why ? `: ${why}` : ''}.` })
      })
    } catch (error) {
      // What is not installed does not get better by waiting.
      if (!isLoomError(error) || error.code !== 'LOOM_PACKAGE_MISSING') failed()
      throw error
    }
  }
  return {
    session() {
      if (isClosed)
        return Promise.reject(failure(name, 'LOOM_TOOL_UNAVAILABLE', `The MCP server ${name} was closed by the program. Do without its tools.`))
      if (!current) {
        const started = connect()
        current = started
        started.catch(() => {
          if (current === started) current = undefined
        })
      }
      return current
    },
    succeeded() {
      failures = 0
      retryAt = 0
    },
    async close() {
      isClosed = true
      const session = await current?.catch(() => undefined)
      await session?.leave()
      await session?.client.close()
    },
  }
}

/** Connects; a program that ends when it is asked for its protocol is started again and not asked. */
async function open(made: Made, onEnd: (session: Session) => void): Promise<Session> {
  const { name, server } = made
  const { connectTimeout = 10_000, protocol = 'auto' } = server
  const deadline = Date.now() + connectTimeout
  const isAsked = protocol === 'auto'
  const first = await openWith(made, { isAsked, deadline, onEnd })
  const last =
    'error' in first && isAsked && isProgram(server) && Date.now() < deadline ? await openWith(made, { isAsked: false, deadline, onEnd }) : first
  if (!('error' in last)) return last
  const error = Date.now() >= deadline ? new Error(`it was not connected within ${connectTimeout} ms`) : last.error
  throw unavailable(name, error, last.printed)
}

interface Opening {
  readonly isAsked: boolean
  readonly deadline: number
  readonly onEnd: (session: Session) => void
}

const info = { name: 'loom-agent', version: '0.1.0' }

/** One try. */
async function openWith(made: Made, { isAsked, deadline, onEnd }: Opening): Promise<Session | { readonly error: unknown; readonly printed: string }> {
  const { name, server, listener, atExit } = made
  const { Client: ClientOfSdk } = await loadClient()
  const left = Math.max(1, deadline - Date.now())
  const client = new ClientOfSdk(info, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: isAsked ? { mode: 'auto', probe: { timeoutMs: Math.ceil(left / 3) } } : { mode: 'legacy' },
    inputRequired: { autoFulfill: false },
    // What a server says about its results is not checked by code that is made of its schemas.
    jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => listener.changed() } },
  })
  const program = isProgram(server) ? programTransport(server, atExit) : undefined
  const transport: Transport = program ?? (await addressTransport(name, server as McpAddress))
  let session: Session | undefined
  client.onclose = () => {
    if (session) onEnd(session)
  }
  client.onerror = () => {}
  listen(client, listener, () => session)
  const timer = setTimeout(() => void transport.close(), left)
  try {
    await client.connect(transport, { timeout: left })
  } catch (error) {
    await transport.close().catch(() => {})
    return { error, printed: program?.stderr ?? '' }
  } finally {
    clearTimeout(timer)
  }
  session = {
    client,
    hasTasks: client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined,
    broken: () => program?.broken,
    leave: () => leave(transport),
  }
  return session
}

/** Milliseconds that a server may take to let go of its side of a connection. */
const leaving = 1_000

async function leave(transport: Transport): Promise<void> {
  if (!('terminateSession' in transport && typeof transport.terminateSession === 'function')) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, leaving)
  await Promise.race([(transport.terminateSession() as Promise<void>).catch(() => {}), promise])
  clearTimeout(timer)
}

/** Takes what servers ask for. */
function listen(client: Client, listener: Listener, session: () => Session | undefined): void {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const own = session()
    return (own ? await listener.elicit(own, params) : { action: 'cancel' }) as { action: 'cancel' }
  })
  client.fallbackRequestHandler = async ({ method }) => {
    const isSampling = method === 'sampling/createMessage'
    if (isSampling) listener.notice({ kind: 'sampling-refused', message: 'It asked for a reply of the model, which was refused.' })
    throw new Error(
      isSampling
        ? 'This client gives servers no replies of its models. Do without, or call a model yourself.'
        : `This client does not answer ${method.slice(0, 80)}.`,
    )
  }
}
