/**
 * Signatures of deliveries, in the form of Standard Webhooks: an id, a time stamp in seconds, and an HMAC-SHA-256 of both with the body.
 *
 * SIGN-1. What is signed is what was sent: the id, the time and the bytes of the body. None of them can be changed, and an old delivery cannot pass for a
 *         new one.
 * SIGN-2. There may be several secrets. All of them sign, and one of them is enough: a secret is replaced without a delivery that is refused.
 */
import { LoomError } from '@loom-agent/kernel'
import { isSame } from '../web/access/secret.ts'

/** Secrets, or a function that returns them whenever they are needed. The first is the newest. */
export type Secrets = readonly string[] | (() => readonly string[] | Promise<readonly string[]>)

/** What is signed. */
export interface Signed {
  /** The id of the delivery: the same whenever it is sent again. */
  readonly id: string
  /** When it is sent, in seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const prefix = 'whsec_'
/** Bytes that a secret has at least. */
const shortest = 16

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Makes a secret of 256 bits. */
export const createWebhookSecret = (): string => prefix + base64(crypto.getRandomValues(new Uint8Array(32)))

/** The bytes of a secret: those that it has in base64 after `whsec_`, or those of its characters. */
function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(prefix) ? decoded(secret.slice(prefix.length)) : new TextEncoder().encode(secret)
  if (bytes !== undefined && bytes.length >= shortest) return bytes
  const message = `A secret of a webhook has fewer than ${shortest} bytes, or is no base64 after ${prefix}. createWebhookSecret() makes one.`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { least: shortest } })
}

function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Throws `LOOM_OPTION_INVALID` when there are no secrets, or one that is too short. */
export function checkSecrets(secrets: readonly string[]): void {
  if (secrets.length === 0) throw new LoomError('LOOM_OPTION_INVALID', 'A webhook has no secrets. createWebhookSecret() makes one.', { context: {} })
  for (const secret of secrets) bytesOf(secret)
}

/** The secrets of now. Throws `LOOM_OPTION_INVALID` when there are none, or one that is too short. */
export async function secretsOf(secrets: Secrets): Promise<readonly string[]> {
  const given = typeof secrets === 'function' ? await secrets() : secrets
  checkSecrets(given)
  return given
}

async function signatureOf(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`
}

/** The headers of a delivery, signed with all secrets. */
export async function signatureHeaders(secrets: readonly string[], signed: Signed): Promise<Readonly<Record<string, string>>> {
  const signatures = await Promise.all(secrets.map((secret) => signatureOf(secret, signed)))
  return { 'webhook-id': signed.id, 'webhook-timestamp': String(signed.timestamp), 'webhook-signature': signatures.join(' ') }
}

/** What a receiver has of a delivery: its headers and the text of its body. */
export interface ReceivedDelivery {
  readonly headers: { get(name: string): string | null }
  readonly body: string
}

/** When and how a delivery is believed. */
export interface VerifyOptions {
  readonly secrets: Secrets
  /** Seconds that its time may differ from that of the receiver; default 300. */
  readonly window?: number | undefined
  /** The time of the receiver in milliseconds since 1970; default: now. */
  readonly now?: number | undefined
}

/** Why a delivery is not believed. Nothing of its content is in it. */
function refuse(message: string): LoomError {
  return new LoomError('LOOM_ACCESS_DENIED', message, { context: { status: 401 } })
}

/** Signatures that are looked at, of those that a delivery has. */
const mostSignatures = 10

/**
 * Checks that a delivery was signed with one of the secrets, and when. Returns its id; throws `LOOM_ACCESS_DENIED`.
 *
 * @example
 * const id = await verifyDelivery({ headers: request.headers, body: await request.text() }, { secrets: [secret] })
 */
export async function verifyDelivery({ headers, body }: ReceivedDelivery, options: VerifyOptions): Promise<string> {
  const { secrets, window = 300, now = Date.now() } = options
  const id = headers.get('webhook-id') ?? ''
  const time = headers.get('webhook-timestamp') ?? ''
  if (!/^[\w.:~-]{1,150}$/.test(id)) throw refuse('The delivery has no webhook-id of 1 to 150 letters, digits and . _ : ~ -.')
  if (!/^\d{1,12}$/.test(time)) throw refuse('The delivery has no webhook-timestamp in seconds since 1970.')
  const timestamp = Number(time)
  if (Math.abs(now / 1000 - timestamp) > window) {
    throw refuse(
      `The delivery was signed ${Math.round(now / 1000 - timestamp)} seconds ago; at most ${window} are allowed. Sign it anew when it is sent again.`,
    )
  }
  const given = (headers.get('webhook-signature') ?? '').split(' ').slice(0, mostSignatures)
  let isKnown = false
  for (const secret of await secretsOf(secrets)) {
    const expected = await signatureOf(secret, { id, timestamp, body })
    for (const signature of given) if (isSame(signature, expected)) isKnown = true
  }
  if (!isKnown) throw refuse('No signature of the delivery is that of a known secret.')
  return id
}
