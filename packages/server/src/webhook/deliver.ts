/**
 * Sending the deliveries of a page.
 *
 * DELIVER-1. The deliveries of a thread are sent one after another, in their order: the next one when the one before was received or given up.
 * DELIVER-2. What is in memory is one page, however long a receiver does not reply.
 */
import { systemClock } from '@loom-agent/agent'
import type { DroppedDelivery } from '@loom-agent/kernel'
import { type Attempt, nextAfter, type RetryPolicy } from './attempt.ts'
import type { Delivery } from './delivery.ts'
import { type Secrets, secretsOf, signatureHeaders } from './signature.ts'

/** What is sent to a receiver. */
export interface OutgoingDelivery {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a delivery once. */
export type SendWebhook = (delivery: OutgoingDelivery, signal: AbortSignal) => Promise<Attempt>

/** A receiver, and how it is reached. */
export interface Receiver {
  readonly url: string
  readonly secrets: Secrets
  readonly retry?: RetryPolicy | undefined
  readonly send: SendWebhook
  readonly signal: AbortSignal
}

/** What came of a page. */
export interface Delivered {
  readonly delivered: number
  readonly dropped: readonly DroppedDelivery[]
}

/** Threads whose deliveries are sent at the same time. */
const together = 8

/** Sends all deliveries, those of different threads side by side. Rejects when the signal is aborted. */
export async function deliverAll(byThread: readonly (readonly Delivery[])[], receiver: Receiver): Promise<Delivered> {
  const queue = [...byThread]
  const dropped: DroppedDelivery[] = []
  let delivered = 0
  const work = async (): Promise<void> => {
    for (let list = queue.shift(); list !== undefined; list = queue.shift()) {
      for (const delivery of list) {
        const lost = await deliverOne(delivery, receiver)
        if (lost) dropped.push(lost)
        else delivered += 1
      }
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return { delivered, dropped }
}

/** Sends a delivery until it is received or given up; returns it when it was given up. */
async function deliverOne(delivery: Delivery, { signal, retry, ...receiver }: Receiver): Promise<DroppedDelivery | undefined> {
  const body = JSON.stringify(delivery)
  for (let attempts = 1; ; attempts += 1) {
    signal.throwIfAborted()
    const attempt = await attemptOnce({ id: delivery.id, body }, { signal, ...receiver })
    const next = nextAfter(attempt, { attempts, age: systemClock.now() - delivery.time, random: Math.random() }, retry)
    if (next.kind === 'delivered') return undefined
    const { id, thread, seq } = delivery
    if (next.kind === 'dropped') return { id, thread, seq, attempts, problem: next.problem.slice(0, 500) }
    await sleep(next.in, signal)
  }
}

async function attemptOnce({ id, body }: { readonly id: string; readonly body: string }, { url, secrets, send, signal }: Receiver): Promise<Attempt> {
  try {
    // It is signed anew each time: receivers refuse what was signed long ago.
    const signature = await signatureHeaders(await secretsOf(secrets), { id, timestamp: Math.floor(systemClock.now() / 1000), body })
    return await send({ url, headers: { 'content-type': 'application/json', ...signature }, body }, signal)
  } catch (error) {
    signal.throwIfAborted()
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** Waits so many milliseconds, or rejects when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal.reason)
    }
    const cancel = systemClock.at(systemClock.now() + ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
