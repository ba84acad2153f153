/** The server of this page: its client, its stream, and whether it can be reached. */
import { type Client, createClient } from '@loom-agent/server/client'
import { createLive, type Live } from './live.ts'
import { createStore, type Readable } from './store.ts'

/** Whether the server answers. `refused`: it does, and does not know who asks. */
export type Connection = 'open' | 'lost' | 'refused'

/** The server as views use it. */
export interface StudioServer {
  readonly client: Client
  readonly live: Live
  readonly connection: Readable<Connection>
  /** How often the server could be reached again. */
  readonly returns: Readable<number>
}

/** Reaches a server. `send` sends a request; default: the browser's. */
export function createStudioServer(url: string, send: (request: Request) => Promise<Response> = (request) => fetch(request)): StudioServer {
  const connection = createStore<Connection>('open')
  const returns = createStore(0)
  const watched = async (request: Request): Promise<Response> => {
    try {
      const response = await send(request)
      if (connection.get() === 'lost') returns.set(returns.get() + 1)
      connection.set(response.status === 401 ? 'refused' : 'open')
      return response
    } catch (error) {
      if (!request.signal.aborted) connection.set('lost')
      throw error
    }
  }
  const client = createClient({ url, fetch: watched })
  const live = createLive(client, () => {})
  return { client, live, connection, returns }
}
