/**
 * The session of this browser.
 *
 * SESSION-2. The token of the address is sent once and is then no longer in the address, so that it is in no history and in no link that is shared.
 */
import type { Client } from '@loom-agent/server/client'

/** The token in the fragment of an address; `undefined` without one. */
export const tokenOf = (fragment: string): string | undefined => new URLSearchParams(fragment.replace(/^#/, '')).get('token') ?? undefined

/** Exchanges the token of the address for a cookie. */
export async function openSession(client: Pick<Client, 'openSession'>): Promise<void> {
  const token = tokenOf(location.hash)
  if (token === undefined) return
  history.replaceState(null, '', location.pathname + location.search)
  await client.openSession({ token }).catch(() => {})
}
