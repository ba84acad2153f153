/**
 * API keys.
 *
 * KEY-1. A key is shown once, when it is made. What is kept is its digest, so a copy of what is kept opens nothing.
 */
import { LoomError } from '@loom-agent/kernel'
import { type Auth, type Identity, type Scope, scopes } from './identity.ts'
import { digestOf, isSame, randomSecret } from './secret.ts'

/** What is kept of a key. */
export interface KeyRecord extends Identity {
  /** The part of the key by which its record is found. */
  readonly id: string
  /** The SHA-256 of the rest. */
  readonly digest: string
  /** When it ends, in milliseconds since 1970; default: never. */
  readonly expires?: number | undefined
}

/** What a key is made for. */
export interface KeyOptions {
  /** Who uses it; recorded as the author of answers and requests. */
  readonly name: string
  /** What it allows. */
  readonly scopes: readonly Scope[]
  /** When it ends, in milliseconds since 1970; default: never. */
  readonly expires?: number | undefined
}

/** Finds the record of a key by its id. */
export type FindKey = (id: string) => KeyRecord | undefined | Promise<KeyRecord | undefined>

const form = /^loom_([0-9a-f]{16})_([0-9a-f]{64})$/

/**
 * Makes a key. Give the key to who uses it, and keep the record.
 *
 * @example
 * const { key, record } = await createKey({ name: 'dashboard', scopes: ['read'] })
 */
export async function createKey(options: KeyOptions): Promise<{ readonly key: string; readonly record: KeyRecord }> {
  const { name, scopes: given, expires } = options
  const strange = given.find((scope) => !scopes.includes(scope))
  if (name === '' || given.length === 0 || strange !== undefined) {
    const message = `A key needs a name and scopes of ${scopes.join(', ')}; given were ${JSON.stringify({ name, scopes: given })}.`
    throw new LoomError('LOOM_OPTION_INVALID', message, { context: { name, scopes: given } })
  }
  const id = randomSecret().slice(0, 16)
  const secret = randomSecret()
  return {
    key: `loom_${id}_${secret}`,
    record: { id, name, scopes: given, digest: await digestOf(secret), ...(expires !== undefined && { expires }) },
  }
}

/** What follows `Bearer` in the header of a request. */
export const bearerOf = (request: Request): string | undefined => /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/** Who a key belongs to; `undefined` for one that is not known or has ended. */
async function ownerOf(key: string, find: FindKey): Promise<Identity | undefined> {
  const [, id, secret] = form.exec(key) ?? []
  if (id === undefined || secret === undefined) return undefined
  const [record, digest] = await Promise.all([find(id), digestOf(secret)])
  if (!record || !isSame(record.digest, digest) || (record.expires ?? Number.POSITIVE_INFINITY) <= Date.now()) return undefined
  const { name, scopes: held, threads } = record
  return { name, scopes: held, threads }
}

/**
 * Accepts keys that are sent as `Authorization: Bearer <key>`. `keys` are the records, or a function that finds one.
 *
 * @example
 * createHandler({ agents, auth: keyAuth(records) })
 */
export function keyAuth(keys: readonly KeyRecord[] | FindKey): Auth {
  const find: FindKey = typeof keys === 'function' ? keys : (id) => keys.find((record) => record.id === id)
  return async (request) => {
    const key = bearerOf(request)
    return key === undefined ? undefined : ownerOf(key, find)
  }
}
