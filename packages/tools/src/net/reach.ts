/**
 * Where a request may go.
 *
 * REACH-1. A name is looked up once for each hop, all its addresses are judged, and one that is not public refuses the host. The connection is made to
 *          the addresses that were judged, never to the name: what the name leads to afterwards does not count.
 * REACH-2. A host that is allowed by its name and port may lead to this machine and its networks, and never to the services of a platform (link-local).
 * REACH-3. The ports of the program's own servers are refused on every address of this machine, whatever is allowed.
 */
import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { callUser } from '@loom-agent/agent/kit'
import { type AddressKind, addressKind, isLocal } from './address.ts'
import { failed, forbidden } from './refusal.ts'
import { isAddress, matchesHost, type Target } from './target.ts'

/** Looks up the addresses of a host. */
export type ResolveHost = (host: string, options: { readonly signal: AbortSignal }) => readonly string[] | Promise<readonly string[]>

/** Where requests may go. */
export interface ReachOptions {
  /** Hosts of this machine or its networks that may be reached, as `host` or `host:port`; without a port, 80 and 443. Default: none. */
  readonly allow?: readonly string[]
  /** The only hosts that may be reached, as patterns (`example.com`, `*.example.com`, `**.example.com`); default: all public ones. */
  readonly hosts?: readonly string[]
  /** Ports that may be used; default 80 and 443. A port in `allow` may be used for its host. */
  readonly ports?: readonly number[]
  /** Ports of this program's own servers: they are refused on all addresses of this machine. A function is called for each request. */
  readonly ownPorts?: readonly number[] | (() => readonly number[])
  /** Looks up hosts; default: as the operating system does. */
  readonly resolve?: ResolveHost
}

const webPorts: readonly number[] = [80, 443]
const mostAddresses = 64

/** A host that is allowed by its name, and its ports. */
export interface AllowedHost {
  readonly host: string
  readonly ports: readonly number[]
}

/** What a request may reach, ready to be asked. */
export interface Reach {
  /** The addresses of a target that may be connected to. Throws where it may not be reached. */
  addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]>
}

/** Makes the rules ready. */
export function createReach({ allow = [], hosts, ports = webPorts, ownPorts = [], resolve = systemLookup }: ReachOptions): Reach {
  const allowed = allow.flatMap((entry) => allowedHost(entry) ?? [])
  return {
    async addressesOf(target, signal) {
      const { host, port, url } = target
      const isAllowed = allowed.some((one) => one.host === host && one.ports.includes(port))
      if (!isAllowed) checkName(target, { hosts, ports })
      const addresses = isAddress(host) ? [host] : await lookUp(resolve, target, signal)
      for (const address of addresses) {
        const kind = addressKind(address)
        if (kind !== 'public' && !(isAllowed && isLocal(kind))) throw notPublic(target, kind)
      }
      const own = typeof ownPorts === 'function' ? await callUser(ownPorts) : ownPorts
      if (own.includes(port) && addresses.some(isOfThisMachine)) {
        throw forbidden(url, `${host} on port ${port} is a server of this program itself, which tools may not call. Use another address.`)
      }
      return addresses
    },
  }
}

function checkName({ host, port, url }: Target, { hosts, ports }: { hosts: readonly string[] | undefined; ports: readonly number[] }): void {
  if (!isAddress(host) && (!host.includes('.') || host.endsWith('.localhost'))) {
    throw forbidden(url, `${host} is a name of this machine or its network, which is not allowed. Use a public host.`)
  }
  if (hosts && !hosts.some((pattern) => matchesHost(pattern, host))) {
    throw forbidden(url, `${host} is not among the hosts that may be reached: ${hosts.join(', ').slice(0, 300)}. Use one of them.`)
  }
  if (!ports.includes(port)) throw forbidden(url, `The port ${port} may not be used. These may: ${ports.join(', ')}.`)
}

/** The host that an entry of `allow` names; undefined where it names none. */
export function allowedHost(entry: string): AllowedHost | undefined {
  const parsed = URL.parse(`http://${entry}/`)
  const host = parsed?.hostname.replace(/^\[|\]$/g, '')
  const rest = parsed && `${parsed.username}${parsed.password}${parsed.pathname.slice(1)}${parsed.search}${parsed.hash}`
  if (!parsed || !host || rest !== '' || /[\s@/\\]/.test(entry)) return undefined
  // The parser drops a port that is the default of http.
  const port = parsed.port === '' ? (entry.endsWith(':80') ? 80 : undefined) : Number(parsed.port)
  return { host, ports: port === undefined ? webPorts : [port] }
}

const systemLookup: ResolveHost = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

async function lookUp(resolve: ResolveHost, { host, url }: Target, signal: AbortSignal): Promise<readonly string[]> {
  const looking = Promise.resolve(callUser(() => resolve(host, { signal })))
  const found: unknown = await Promise.race([looking, aborted(signal)])
  const isList = Array.isArray(found) && found.every((address) => typeof address === 'string')
  if (!isList || found.length === 0) throw failed(url, `${host} has no address. Check the spelling.`)
  if (found.length > mostAddresses) throw forbidden(url, `${host} has ${found.length} addresses, which is too many to check. Use another host.`)
  return found as readonly string[]
}

/** Rejects when the signal aborts: a look-up of the system cannot be stopped, only left alone. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

const kindWords: Readonly<Record<AddressKind, string>> = {
  public: 'the public network',
  loopback: 'this machine',
  private: 'a private network',
  shared: "a provider's own network",
  'unique-local': 'a private network',
  'link-local': 'services of the platform that this program runs on',
  multicast: 'a group of machines',
  unspecified: 'this machine',
  documentation: 'nothing: its addresses are for documentation',
  translated: 'an address inside another address',
  reserved: 'a reserved network',
  unreadable: 'something that is no address',
}

function notPublic({ host, url }: Target, kind: AddressKind): Error {
  const how = isAddress(host) ? `${host} is` : `${host} leads to`
  const place = isAddress(host) ? `an address of ${kindWords[kind]}` : kindWords[kind]
  return forbidden(url, `${how} ${place} (${kind}), which may not be reached. Use a public address.`)
}

/** Whether an address belongs to this machine, also where it is a public one. */
function isOfThisMachine(address: string): boolean {
  const kind = addressKind(address)
  if (kind === 'loopback' || kind === 'unspecified') return true
  return Object.values(networkInterfaces()).some((entries) => (entries ?? []).some((entry) => entry.address === address))
}
