/**
 * Sessions of browsers: a token is exchanged for a cookie.
 *
 * SESSION-1. The token is in the fragment of the address that is opened, which browsers send to no server; the page sends it once, in a body. The cookie is
 *     HttpOnly and SameSite=Strict: no script reads it, and no other site sends it.
 */
import type { Auth, Identity } from './identity.ts'
import { bearerOf } from './keys.ts'
import { digestOf, isSame, randomSecret } from './secret.ts'

/** How long a session lasts, and how many there are at most; the oldest goes first. */
const lasting = 7 * 24 * 3600
const most = 1000

/** The sessions of one server. */
export interface Sessions {
  /** Accepts the cookie of a session, and the token itself as `Authorization: Bearer`. */
  readonly auth: Auth
  /** The `Set-Cookie` of a new session; `undefined` when the token is another. */
  open(token: string, isSecure: boolean): Promise<string | undefined>
  /** Ends the session of a request. Returns the `Set-Cookie` that removes its cookie. */
  end(request: Request): Promise<string>
}

const cookieName = 'loom_session'
const cookieOf = (request: Request): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookieName}=([0-9a-f]{64})(?:;|$)`).exec(request.headers.get('cookie') ?? '')?.[1]

/** Sessions that a token opens, all of one identity. */
export function createSessions(token: string, identity: Identity): Sessions {
  const open = new Map<string, number>()
  const attributes = (seconds: number, isSecure: boolean): string =>
    `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  const isToken = async (given: string): Promise<boolean> => isSame(await digestOf(given), await digestOf(token))
  return {
    async auth(request) {
      const cookie = cookieOf(request)
      if (cookie !== undefined && (open.get(await digestOf(cookie)) ?? 0) > Date.now()) return identity
      const bearer = bearerOf(request)
      return bearer !== undefined && (await isToken(bearer)) ? identity : undefined
    },
    async open(given, isSecure) {
      if (!(await isToken(given))) return undefined
      const secret = randomSecret()
      open.set(await digestOf(secret), Date.now() + lasting * 1000)
      for (const [oldest] of open) {
        if (open.size <= most) break
        open.delete(oldest)
      }
      return `${cookieName}=${secret}; ${attributes(lasting, isSecure)}`
    },
    async end(request) {
      const cookie = cookieOf(request)
      if (cookie !== undefined) open.delete(await digestOf(cookie))
      return `${cookieName}=; ${attributes(0, false)}`
    },
  }
}
