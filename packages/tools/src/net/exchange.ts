/**
 * One request and its reply, over a connection to addresses that were judged before.
 *
 * EXCHANGE-1. The connection is made to the given addresses. The name of the host is used for the certificate and the Host header alone.
 * EXCHANGE-2. Nothing of the environment changes where a request goes or whom it trusts: variables for proxies and certificates are not read.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Outgoing } from './outgoing.ts'
import { failed } from './refusal.ts'
import { isAddress } from './target.ts'

/** Sends a request and returns its reply, whose body is not read yet. */
export function exchange(outgoing: Outgoing): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = open(outgoing)
    request.once('response', resolve)
    // An error after the reply ends the body, which reports it.
    request.on('error', reject)
    request.once('upgrade', (_reply, socket) => {
      socket.destroy()
      reject(failed(outgoing.target.url, 'The server wants to speak another protocol than HTTP. Use another address.'))
    })
    request.once('socket', (socket) => {
      socket.once(outgoing.target.protocol === 'https:' ? 'secureConnect' : 'connect', outgoing.onSent)
    })
    request.end(outgoing.body)
  })
}

function open({ target, addresses, method, headers, maxHeaderBytes, ca, signal }: Outgoing): ClientRequest {
  const { host, port, path, protocol } = target
  const common = {
    method,
    headers,
    path,
    host,
    port,
    lookup: pinned(addresses),
    maxHeaderSize: maxHeaderBytes,
    insecureHTTPParser: false,
    signal,
  }
  if (protocol === 'http:') return httpRequest({ ...common, agent: new HttpAgent({ keepAlive: false }) })
  return httpsRequest({
    ...common,
    agent: new HttpsAgent({ keepAlive: false }),
    // What is given here takes the place of what the environment would add or take away.
    ca: [...(ca ?? rootCertificates)],
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(!isAddress(host) && { servername: host }),
  })
}

/** A look-up that knows the answer already. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const [first = { address: '', family: 4 }] = all
  return (_host, options, done) => (options.all ? done(null, all) : done(null, first.address, first.family))
}
