/**
 * Sending deliveries from Node.
 *
 * SEND-1. A delivery goes to public addresses only, unless its host is allowed by name, and to the address that was judged. Redirects are not followed, and
 *         nothing of a reply is kept but its status.
 */
import { isLoomError, LoomError } from '@loom-agent/kernel'
import type { Attempt } from '../webhook/attempt.ts'
import type { SendWebhook } from '../webhook/deliver.ts'

/** Where deliveries may go. */
export interface SendOptions {
  /** Hosts of this machine or its networks that may be reached, as `host` or `host:port`; default: none. */
  readonly allow?: readonly string[] | undefined
  /** Ports of public hosts that may be used; default 80 and 443. */
  readonly ports?: readonly number[] | undefined
  /** Milliseconds for one attempt; default 10,000. */
  readonly timeout?: number | undefined
  /** Certificates of the authorities that are trusted, in PEM form; default: those that come with Node. */
  readonly ca?: readonly string[] | undefined
}

/** The parts of the tools that make requests: they are there when the package is. */
async function loadNet(): Promise<typeof import('@loom-agent/tools/net')> {
  try {
    return await import('@loom-agent/tools/net')
  } catch (cause) {
    const message = 'Webhooks need the package @loom-agent/tools, which cannot be loaded. Install it: npm install @loom-agent/tools'
    throw new LoomError('LOOM_PACKAGE_MISSING', message, { cause, context: { package: '@loom-agent/tools' } })
  }
}

/** Loads what sends, and makes it ready. Throws `LOOM_PACKAGE_MISSING`. */
export async function createSender({ allow = [], ports, timeout = 10_000, ca }: SendOptions = {}): Promise<SendWebhook> {
  const { canonicalUrl, createReach, sendRequest } = await loadNet()
  const reach = createReach({ allow, ...(ports && { ports }) })
  return async ({ url, headers, body }, signal): Promise<Attempt> => {
    const late = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    try {
      const target = canonicalUrl(url)
      const addresses = await reach.addressesOf(target, late)
      const bytes = new TextEncoder().encode(body)
      const all = { 'user-agent': 'loom-agent', ...headers, 'content-length': String(bytes.length) }
      const { status, headers: replied } = await sendRequest({
        target,
        addresses,
        method: 'POST',
        headers: all,
        body: bytes,
        maxHeaderBytes: 16 * 1024,
        ca,
        signal: late,
        onSent: () => {},
      })
      const wait = Number(replied['retry-after'])
      return { status, ...(wait > 0 && { retryAfter: wait * 1000 }) }
    } catch (error) {
      signal.throwIfAborted()
      if (late.aborted) return { problem: `no reply within ${timeout} ms` }
      return { problem: messageOf(error), isFinal: isLoomError(error) && error.code === 'LOOM_PERMISSION_DENIED' }
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
