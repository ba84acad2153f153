/**
 * A server that is reached over HTTP.
 *
 * MCP-3. A reply is bounded, and so is each message of a stream. Requests that are redirected to another origin fail: tokens and headers stay with the server
 *     that they are for.
 */
import type { AuthProvider, Transport } from '@modelcontextprotocol/client'
import type { McpAddress, McpAuth } from './options.ts'
import { loadClient } from './sdk.ts'

/** Bytes of a reply, and of one message of a stream. */
const mostBytes = 16 * 1024 * 1024

/** Makes a transport to an address. */
export async function addressTransport(name: string, { url, headers, auth }: McpAddress): Promise<Transport> {
  const { StreamableHTTPClientTransport } = await loadClient()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch,
    ...(headers && { requestInit: { headers: { ...headers } } }),
    ...(auth && { authProvider: providerOf(name, url, auth) }),
    reconnectionOptions: { initialReconnectionDelay: 500, maxReconnectionDelay: 10_000, reconnectionDelayGrowFactor: 2, maxRetries: 3 },
  })
  return transport as Transport
}

function providerOf(server: string, url: string, auth: McpAuth): AuthProvider {
  return {
    token: async () => await auth.token(),
    ...(auth.unauthorized && {
      onUnauthorized: async ({ response }) => {
        await auth.unauthorized?.({ server, url, challenge: response.headers.get('www-authenticate')?.slice(0, 2_000) })
      },
    }),
  }
}

async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const body = response.body.pipeThrough(bound(isStream))
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}

/** Passes bytes on until there are too many; in a stream each blank line begins a message. */
function bound(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let isLineBlank = true
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes += 1
        if (byte === 10) {
          if (isLineBlank && isStream) bytes = 0
          isLineBlank = true
        } else if (byte !== 13) isLineBlank = false
      }
      if (bytes > mostBytes) controller.error(new Error(`the server sent more than ${mostBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
