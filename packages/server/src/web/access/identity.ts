/** Who sends a request, and what they may do. */

/** What a route needs: to look, to start and control runs, to answer questions, or to change what others depend on. */
export const scopes = ['read', 'run', 'answer', 'admin'] as const

/** One of the scopes. `admin` includes the others. */
export type Scope = (typeof scopes)[number]

/** Who sends a request. */
export interface Identity {
  /** The person or program; recorded as the author of answers and requests. */
  readonly name: string
  /** What they may do. */
  readonly scopes: readonly Scope[]
  /** Whether they may use a thread, by the id of the root of its tree; default: all. What they may not use is not found. */
  readonly threads?: ((thread: string) => boolean) | undefined
}

/** Finds out who sends a request; `undefined`: nobody who is known. */
export type Auth = (request: Request) => Identity | undefined | Promise<Identity | undefined>

/** Whether an identity has a scope. */
export const hasScope = ({ scopes: held }: Identity, scope: Scope): boolean => held.includes(scope) || held.includes('admin')

/** The first of several ways that knows the sender. */
export function anyAuth(...ways: readonly Auth[]): Auth {
  return async (request) => {
    for (const way of ways) {
      const identity = await way(request)
      if (identity) return identity
    }
    return undefined
  }
}
