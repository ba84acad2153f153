/**
 * Requests to servers, and what servers of the protocol of 2025 ask within them.
 *
 * MCP-9. A request ends: by its reply, by the end of the connection, or when the server has given no sign of life for the time that a call may take. The time in
 *     which a person is asked does not count.
 * MCP-10. A server that asks within a request is answered while the request is open. The request is held for a bounded time; when it, or this process, has
 *     ended, the call is lost, and a person decides whether it is made again.
 */
import { randomUUID } from 'node:crypto'
import type { Session } from './connection.ts'
import { askedOf, elicitedBy } from './elicitation.ts'
import { isLost, isRefused, reasonOf } from './failure.ts'
import type { Asked, Given, Reply } from './reply.ts'

/** A request: what is sent, and for how long nothing may come back. */
export interface Sent {
  readonly session: Session
  /** Sends it. */
  send(options: { readonly signal: AbortSignal; readonly onprogress: (progress: object) => void }): Promise<Reply>
  readonly timeout: number
  /** Aborts when the call is to end. */
  readonly signal: AbortSignal
  readonly progress: (data: unknown) => void
  /** The task whose result is asked for. */
  readonly task?: string
}

/** The requests to one server. */
export interface HeldCalls {
  /** Sends a request. Resolves with its reply, or with what the server asks first. Rejects only when the call is to end. */
  begin(sent: Sent): Promise<Reply>
  /** Answers what the server asked within a request that is held; `gone` when it is not. */
  resume(held: string, given: Given, foreground: Pick<Sent, 'signal' | 'progress'>): Promise<Reply>
  /** What a server asks within a request. */
  elicit(session: Session, params: unknown): Promise<object>
  /** Gives up what is held. */
  close(): void
}

interface OpenCall {
  readonly session: Session
  readonly settled: Promise<Reply>
  readonly task: string | undefined
  /** Shows a question to the one who waits for the call, and resolves with the answer. */
  ask(asked: Asked): Promise<object>
  /** The next question, once there is one. */
  next(): Promise<Reply>
  foreground: Pick<Sent, 'signal' | 'progress'>
  cancel(reason: string): void
}

/** Requests that are held, and milliseconds that each is. */
const most = { held: 64, milliseconds: 10 * 60_000 }

/** Milliseconds between two reports of progress that are shown: a server may send them without end. */
const betweenProgress = 100

/** What a server is told when a person was not asked, or did not answer. */
const cancelled = { action: 'cancel' }

/** The requests to one server. */
export function createHeldCalls(): HeldCalls {
  const open = new Set<OpenCall>()
  const held = new Map<string, { readonly call: OpenCall; readonly answer: (given: object) => void; readonly timer: NodeJS.Timeout }>()
  const take = (id: string): OpenCall | undefined => {
    const entry = held.get(id)
    clearTimeout(entry?.timer)
    held.delete(id)
    return entry?.call
  }
  // The server is told that nobody waits any more. It gets no answer: it might go on with one.
  const giveUp = (id: string): void => take(id)?.cancel('nobody has answered in time')
  const first = async (call: OpenCall): Promise<Reply> => {
    const { signal } = call.foreground
    const abort = (): void => call.cancel('the call was ended')
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      return await Promise.race([call.settled, call.next()])
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
  const hold = (call: OpenCall, asked: Asked, answer: (given: object) => void): Reply => {
    const id = randomUUID()
    if (held.size >= most.held) giveUp([...held.keys()][0] ?? '')
    const timer = setTimeout(() => giveUp(id), most.milliseconds)
    timer.unref()
    held.set(id, { call, answer, timer })
    void call.settled.then(() => take(id))
    return { kind: 'input', asks: { input: asked }, held: id, ...(call.task !== undefined && { task: call.task }) }
  }
  return {
    begin(sent) {
      const call = openCall(sent, hold)
      open.add(call)
      void call.settled.then(() => open.delete(call))
      return first(call)
    },
    async resume(id, given, foreground) {
      const entry = held.get(id)
      if (!entry) return { kind: 'gone' }
      take(id)
      entry.call.foreground = foreground
      entry.answer(elicitedBy(given['input']))
      return first(entry.call)
    },
    async elicit(session, params) {
      const task = relatedTask(params)
      const asking = [...open].filter((call) => call.session === session && (task === undefined || call.task === task))
      const [call] = asking
      // The protocol of 2025 does not say which call asks, unless it is a task: with several, the question could reach another person.
      return call && asking.length === 1 ? call.ask(askedOf('elicitation/create', params)) : cancelled
    },
    close() {
      for (const id of [...held.keys()]) giveUp(id)
      for (const call of open) call.cancel('the connection was closed')
    },
  }
}

/** The task that a request of a server belongs to, where it says so. */
function relatedTask(params: unknown): unknown {
  const { _meta } = params as { readonly _meta?: { readonly [key: string]: { readonly taskId?: unknown } | undefined } }
  return _meta?.['io.modelcontextprotocol/related-task']?.taskId
}

function openCall(sent: Sent, hold: (call: OpenCall, asked: Asked, answer: (given: object) => void) => Reply): OpenCall {
  const { session, timeout, task } = sent
  const controller = new AbortController()
  let why: 'timeout' | 'ended' | undefined
  let asking = 0
  let timer: NodeJS.Timeout | undefined
  const stop = (reason: 'timeout' | 'ended', message: string): void => {
    why ??= reason
    controller.abort(new Error(message))
  }
  const wait = (): void => {
    clearTimeout(timer)
    if (asking === 0) timer = setTimeout(() => stop('timeout', `no sign of life for ${timeout} ms`), timeout)
  }
  wait()
  const questions: Reply[] = []
  let show: ((reply: Reply) => void) | undefined
  let shownAt = 0
  const onprogress = (progress: object): void => {
    wait()
    if (Date.now() - shownAt < betweenProgress) return
    shownAt = Date.now()
    call.foreground.progress(progress)
  }
  const call: OpenCall = {
    session,
    task,
    foreground: sent,
    next() {
      const first = questions.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => (show = resolve))
    },
    settled: sent
      .send({ signal: controller.signal, onprogress })
      .catch((error: unknown) => replyOf(error, why, timeout))
      .finally(() => clearTimeout(timer)),
    async ask(asked) {
      asking += 1
      clearTimeout(timer)
      try {
        return await new Promise<object>((answer) => {
          const question = hold(call, asked, answer)
          if (show) show(question)
          else questions.push(question)
          show = undefined
        })
      } finally {
        asking -= 1
        wait()
      }
    },
    cancel: (reason) => stop('ended', reason),
  }
  return call
}

/** What became of a request that has no result. */
function replyOf(error: unknown, why: 'timeout' | 'ended' | undefined, timeout: number): Reply {
  if (why === 'timeout') return { kind: 'failed', why: 'timeout', message: `gave no sign of life for ${timeout} ms` }
  if (why === 'ended') return { kind: 'failed', why: 'lost', message: 'was left when the call was ended' }
  if (isRefused(error)) return { kind: 'failed', why: 'refused', message: reasonOf(error) }
  if (isLost(error)) return { kind: 'failed', why: 'lost', message: `ended the connection (${reasonOf(error)})` }
  return { kind: 'failed', why: 'broken', message: reasonOf(error) }
}
