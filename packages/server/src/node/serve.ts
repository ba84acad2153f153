/**
 * A server for Node: the handler on a port, with the driving of what earlier processes have left.
 *
 * SERVE-1. Without keys or `auth` it is reached from this machine alone, and only with the token that it makes when it starts.
 * SERVE-2. When it starts, and from then on again and again, the unfinished threads of its agents that nobody drives are driven on.
 * SERVE-4. What schedules ask for is started when it is due, by whichever server looks first (DUE-7).
 * SERVE-3. When it closes, it takes on nothing more, hands on what it drives, and ends its streams: clients come back to the next process with their cursors.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recovered } from '@loom-agent/agent'
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { createScheduler, type Scheduler } from '../schedule/scheduler.ts'
import { type Auth, anyAuth } from '../web/access/identity.ts'
import { type FindKey, type KeyRecord, keyAuth } from '../web/access/keys.ts'
import { randomSecret } from '../web/access/secret.ts'
import { createSessions, type Sessions } from '../web/access/sessions.ts'
import { type ServedHandler, serveHandler } from '../web/handler.ts'
import { problemResponse } from '../web/route/problem.ts'
import type { HandlerOptions } from '../web/service/service.ts'
import { checkWebhooks, driveWebhooks, type Webhook } from '../webhook/drive-webhooks.ts'
import { toRequest, writeResponse } from './exchange.ts'
import { watchProcess } from './process-resources.ts'
import { createSender, type SendOptions } from './send-webhook.ts'
import { serveSockets } from './sockets.ts'

/** What is served, where, and to whom. */
export interface ServeOptions extends Omit<HandlerOptions, 'auth' | 'sessions'> {
  /** The address to listen on; default 127.0.0.1. Another one than a loopback address needs `keys` or `auth`. */
  readonly host?: string | undefined
  /** The port; default 8000. 0 is any that is free. */
  readonly port?: number | undefined
  /** The records of keys, or a function that finds one. */
  readonly keys?: readonly KeyRecord[] | FindKey | undefined
  /** Another way to find out who sends a request. */
  readonly auth?: Auth | undefined
  /** Milliseconds between two looks for threads that nobody drives, and for schedules that others have set; default 10,000. `false`: nothing is looked for. */
  readonly recover?: number | false | undefined
  /** Notified of each thread that was driven on, or could not be. */
  readonly onRecovered?: ((recovered: Recovered) => void) | undefined
  /** Receivers that are told what becomes of runs. Needs the package `@loom-agent/tools`. */
  readonly webhooks?: readonly Webhook[] | undefined
  /** Where deliveries to webhooks may go; default: to public addresses. */
  readonly webhookReach?: SendOptions | undefined
  /** Milliseconds that a client has for its whole request; default 60,000. One that is slower gets the status 408. For its headers it has 10,000 at most. */
  readonly slowest?: number | undefined
  /** Answers what is not below `base`, such as the pages of a web app; default: not found. */
  readonly otherwise?: ((request: Request) => Promise<Response>) | undefined
}

/** A server that listens. */
export interface LoomServer {
  /** Where it listens, such as `http://127.0.0.1:8000`. */
  readonly url: string
  /** The same with the token of this start in its fragment, for a browser; undefined where keys or `auth` are given. */
  readonly startUrl: string | undefined
  /** Takes on nothing more, hands on what is driven within `grace` milliseconds (default 20,000), and ends. */
  close(options?: { readonly grace?: number | undefined }): Promise<void>
}

const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Milliseconds that a client has for its headers and for its whole request, between two looks for those that are slower, and before a silent connection is probed. */
const slowest = { headers: 10_000, request: 60_000, look: 2_000, probe: 30_000 }

function refuse(message: string, context: { readonly host: string }): never {
  throw new LoomError('LOOM_OPTION_INVALID', message, { context })
}

/** How requests are let in: by keys and `auth` where there are any, or else by the token of this start. */
function accessOf({ host = '127.0.0.1', keys, auth }: ServeOptions): { readonly auth: Auth; readonly sessions?: Sessions; readonly token?: string } {
  const ways = [...(keys ? [keyAuth(keys)] : []), ...(auth ? [auth] : [])]
  if (ways.length > 0) return { auth: anyAuth(...ways) }
  if (!loopback.test(host)) {
    refuse(`A server on ${host} can be reached from other machines, and needs keys or auth. Make keys with createKey, or listen on 127.0.0.1.`, {
      host,
    })
  }
  const token = randomSecret()
  const sessions = createSessions(token, { name: 'local', scopes: ['admin'] })
  return { auth: sessions.auth, sessions, token }
}

/** Drives on what nobody drives. Returns what ends that. */
function driveOn({ agents, recover = 10_000, onRecovered }: ServeOptions, onError: (error: unknown) => void): () => void {
  if (recover === false) return () => {}
  const over = new AbortController()
  for (const agent of agents) void agent.recover({ every: recover, signal: over.signal, onError, onRecovered }).catch(onError)
  return () => over.abort()
}

/** Makes the webhooks ready. Returns what begins to deliver, which returns what ends it. */
async function prepareWebhooks({ webhooks = [], webhookReach }: ServeOptions): Promise<(service: ServedHandler['service']) => () => Promise<void>> {
  if (webhooks.length === 0) return () => async () => {}
  await checkWebhooks(webhooks)
  const send = await createSender(webhookReach)
  return ({ journal, onError }) => {
    const over = new AbortController()
    const driven = driveWebhooks(journal, webhooks, { send, signal: over.signal, onError }).catch(onError)
    return () => {
      over.abort()
      return driven
    }
  }
}

function listener({ handle, service }: ServedHandler, { base = '/api/v1', otherwise }: ServeOptions) {
  return async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const gone = new AbortController()
    reply.once('close', () => gone.abort())
    try {
      const request = toRequest(message, 'http', gone.signal)
      const isOurs = otherwise === undefined || new URL(request.url).pathname.startsWith(`${base}/`)
      await writeResponse(await (isOurs ? handle(request) : otherwise(request)), reply)
    } catch (error) {
      if (!reply.headersSent) await writeResponse(problemResponse(requestError(error)), reply).catch(() => reply.destroy())
      else reply.destroy()
      if (!gone.signal.aborted && !isLoomError(error)) service.onError(error)
    }
  }
}

/** What cannot be made a request is the mistake of its sender. */
const requestError = (error: unknown): unknown =>
  error instanceof TypeError
    ? new LoomError('LOOM_REQUEST_INVALID', `This is no request: ${error.message.slice(0, 200)}.`, { context: { status: 400 } })
    : error

/** Resolves when the server listens. */
function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/**
 * Serves agents over HTTP.
 *
 * @example
 * const server = await serve({ agents: [clerk], keys: [record], host: '0.0.0.0' })
 * process.once('SIGTERM', () => server.close())
 */
export async function serve(options: ServeOptions): Promise<LoomServer> {
  const { host = '127.0.0.1', port = 8000, agents, recover: every = 10_000, slowest: request = slowest.request } = options
  const { token, ...access } = accessOf(options)
  const hosts = options.hosts ?? (loopback.test(host) ? loopbackHosts : undefined)
  const onError = options.onError ?? ((error: unknown) => console.error(error))
  const scheduler: Scheduler | undefined = every === false ? undefined : createScheduler(agents, { every, onError })
  const resources = options.resources ?? watchProcess()
  const about = { node: process.version, platform: `${process.platform} ${process.arch}`, process: String(process.pid), ...options.about }
  const handler = serveHandler({ ...options, hosts, ...access, resources, about, onError, onSchedules: () => scheduler?.look() })
  const { admission, projector } = handler.service
  const server = createServer(
    {
      ...{ headersTimeout: Math.min(slowest.headers, request), requestTimeout: request },
      ...{ connectionsCheckingInterval: Math.min(slowest.look, request), keepAlive: true, keepAliveInitialDelay: slowest.probe },
    },
    listener(handler, options),
  )
  const deliver = await prepareWebhooks(options)
  const actual = await listening(server, port, host)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
  const endSockets = serveSockets(server, handler, options.base ?? '/api/v1')
  const stopDriving = driveOn(options, onError)
  const stopDelivering = deliver(handler.service)
  scheduler?.look()
  let closing: Promise<void> | undefined
  const close = async (grace: number | undefined): Promise<void> => {
    stopDriving()
    resources.close()
    admission.close()
    await scheduler?.close()
    const ended = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.all(agents.map((agent) => agent.drain({ grace })))
    // What has just ended is told by the next process, if not by this one.
    await stopDelivering()
    await projector.save()
    endSockets()
    server.closeAllConnections()
    await ended
  }
  return {
    url,
    startUrl: token === undefined ? undefined : `${url}/#token=${token}`,
    close: ({ grace } = {}) => {
      closing ??= close(grace)
      return closing
    },
  }
}
