/**
 * Delivering to webhooks: what happens in the journal is sent to their receivers, in order per thread, at least once.
 *
 * WEBHOOK-2. The position in the feed is stored when everything up to it was received or given up: what a killed process has sent since is sent again, under
 *            the same ids.
 * WEBHOOK-3. Each webhook is delivered for by itself: a receiver that is dead delays no other.
 * WEBHOOK-4. Secrets are used and never stored.
 */
import { type Journal, LoomError } from '@loom-agent/kernel'
import type { RetryPolicy } from './attempt.ts'
import { deliverAll, type SendWebhook, sleep } from './deliver.ts'
import type { Delivery, WebhookKind } from './delivery.ts'
import { readDeliveries } from './read-deliveries.ts'
import { type Secrets, secretsOf } from './signature.ts'
import { acquireWebhook, endOfFeed, feedAfter, type WebhookLease } from './webhook-lease.ts'

/** A receiver, and what it is told. */
export interface Webhook {
  /** Its name: under it the journal knows how far it is. */
  readonly name: string
  /** Where deliveries are sent. */
  readonly url: string
  /** What deliveries are signed with: all of them sign, so that a receiver may know the old one or the new one. */
  readonly secrets: Secrets
  /** What it is told: that a run is `done`, `waiting`, `failed` or `stopped`, that a question is `asked`; default: all of it. */
  readonly on?: readonly WebhookKind[] | undefined
  /** Only about threads of these agents; default: of all. */
  readonly agents?: readonly string[] | undefined
  /** Only about threads for which it returns true; default: about all. */
  readonly threads?: ((thread: string) => boolean) | undefined
  /** How often and for how long a delivery is tried. */
  readonly retry?: RetryPolicy | undefined
}

/** How webhooks are driven. */
export interface DriveWebhooksOptions {
  /** Sends a delivery once. */
  readonly send: SendWebhook
  /** Ends the delivering. */
  readonly signal: AbortSignal
  /** Milliseconds between two looks at a feed that has nothing new; default 500. */
  readonly every?: number | undefined
  /** Notified of deliveries that were given up, and of what went wrong here. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const kinds: readonly WebhookKind[] = ['done', 'waiting', 'asked', 'failed', 'stopped']
/** Entries of the feed that are looked at together. */
const pageSize = 100
/** Entries without a delivery after which the position is stored all the same. */
const longestPassed = 1000
/** Deliveries that are remembered so that they are not sent again at once (DELIVERY-3). */
const remembered = 1000
/** Milliseconds until a webhook is looked at again that another process delivers for, or that failed. */
const pause = 5000

/** Refuses webhooks that cannot be. */
export async function checkWebhooks(webhooks: readonly Webhook[]): Promise<void> {
  const names = new Set<string>()
  for (const { name, url, secrets, on = kinds } of webhooks) {
    if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) throw invalid(name, 'its name is none. Give 1 to 100 letters, digits and . _ -.')
    if (names.has(name)) throw invalid(name, 'another one has its name. Give each a name of its own.')
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw invalid(name, 'its url is no address. Give one that begins with https://.')
    const strange = on.find((kind) => !kinds.includes(kind))
    if (strange !== undefined || on.length === 0) throw invalid(name, `on has ${String(strange ?? 'nothing')}. It may have ${kinds.join(', ')}.`)
    names.add(name)
    await secretsOf(secrets)
  }
}

function invalid(name: string, problem: string): LoomError {
  return new LoomError('LOOM_OPTION_INVALID', `The webhook ${name.slice(0, 100)} cannot be: ${problem}`, { context: { webhook: name.slice(0, 100) } })
}

/** Delivers for webhooks until the signal is aborted. Resolves when what was under way has ended. */
export async function driveWebhooks(journal: Journal, webhooks: readonly Webhook[], options: DriveWebhooksOptions): Promise<void> {
  await checkWebhooks(webhooks)
  await Promise.all(webhooks.map((webhook) => driveWebhook({ journal, webhook, options, worker: crypto.randomUUID() })))
}

/** A webhook at work. */
interface Driving {
  readonly journal: Journal
  readonly webhook: Webhook
  readonly options: DriveWebhooksOptions
  readonly worker: string
}

async function driveWebhook(driving: Driving): Promise<void> {
  const { journal, webhook, options, worker } = driving
  const { signal, onError, every = 500 } = options
  while (!signal.aborted) {
    const lease = await acquireWebhook(journal, webhook.name, worker).catch((error: unknown) => {
      onError?.(error)
      return undefined
    })
    if (lease) {
      await deliverUnder(driving, lease).catch((error: unknown) => (signal.aborted ? undefined : onError?.(error)))
      await lease.release().catch(() => {})
    }
    await sleep(Math.max(every, Math.min(pause, every * 10)), signal).catch(() => {})
  }
}

/** Delivers page after page, as long as this process has the lease. */
async function deliverUnder({ journal, webhook, options }: Driving, lease: WebhookLease): Promise<void> {
  const { name, on = kinds, agents, threads } = webhook
  const { signal, send, every = 500 } = options
  const wanted = { webhook: name, on: new Set(on), agents, threads }
  let cursor = lease.cursor ?? (await begin(journal, lease, {}))
  let passed = 0
  let last: readonly string[] = []
  while (!signal.aborted) {
    const page = await feedAfter(journal, cursor, pageSize)
    if (!page) {
      // An older copy of the journal was restored, or the thread came from another one: what was delivered since cannot be known.
      cursor = await begin(journal, lease, { stale: true })
      options.onError?.(invalid(name, 'its position is not in this journal. It goes on with what is new.'))
      continue
    }
    const found = unsent(await readDeliveries(journal, page, wanted), last)
    const { delivered, dropped } = await deliverAll(found, { ...webhook, send, signal })
    passed += page.entries.length
    ;({ cursor } = page)
    if (found.length > 0 || passed >= longestPassed) {
      await lease.move({ cursor, delivered, ...(dropped.length > 0 && { dropped }) })
      passed = 0
    }
    for (const { id, attempts, problem } of dropped) options.onError?.(givenUp(name, { id, attempts, problem }))
    last = [...last, ...found.flat().map(({ id }) => id)].slice(-remembered)
    if (page.isEnd) await sleep(every, signal)
  }
}

/** A webhook begins with what is new, and its position is a fact from then on. */
async function begin(journal: Journal, lease: WebhookLease, why: { readonly stale?: true }): Promise<string> {
  const cursor = await endOfFeed(journal)
  await lease.move({ cursor, delivered: 0, ...why })
  return cursor
}

/** Deliveries without those that were sent just now. */
function unsent(found: readonly (readonly Delivery[])[], last: readonly string[]): readonly (readonly Delivery[])[] {
  const sent = new Set(last)
  return found.map((list) => list.filter(({ id }) => !sent.has(id))).filter((list) => list.length > 0)
}

function givenUp(name: string, { id, attempts, problem }: { readonly id: string; readonly attempts: number; readonly problem: string }): LoomError {
  const message = `The webhook ${name} did not take the delivery ${id} in ${attempts} attempts: ${problem}. It is recorded as given up.`
  return new LoomError('LOOM_RUN_FAILED', message, { context: { webhook: name, id, attempts } })
}
