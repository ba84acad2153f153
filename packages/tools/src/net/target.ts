/**
 * The address of a request, read once.
 *
 * URL-1. An address is parsed once, by the rules of the web, and only the parsed form is used afterwards: for permissions, for the look-up, for the request.
 * URL-2. What can be read in two ways is refused, not guessed: a host that is not written as it is read, userinfo, backslashes, control characters, spaces.
 */
import { isIP, isIPv4 } from 'node:net'
import { malformed } from './refusal.ts'

/** An address in its one form. */
export interface Target {
  /** The whole address without the fragment. */
  readonly url: string
  /** `http:` or `https:`. */
  readonly protocol: 'http:' | 'https:'
  /** The host in lower case: a name, an IPv4 address, or an IPv6 address without brackets. */
  readonly host: string
  /** The port, also where it is the default of the protocol. */
  readonly port: number
  /** Protocol, host and port as the web names them, such as `https://example.com`. */
  readonly origin: string
  /** The path and the query. */
  readonly path: string
}

/** The longest address that is read. */
const longest = 4096
const odd = /[\s\\\p{Cc}\p{Cf}]/u
const shape = /^https?:\/\/(?<authority>[^/?#]*)/i
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Reads an address. Throws a refusal that says how to write it.
 *
 * @example
 * canonicalUrl('HTTPS://Example.com:443/a?b#c').url   // 'https://example.com/a?b'
 */
export function canonicalUrl(text: string): Target {
  if (typeof text !== 'string' || text === '') throw malformed('', 'There is no url. Give one that begins with https:// or http://.')
  if (text.length > longest) throw malformed(text, `The url has ${text.length} characters; ${longest} are allowed. Give a shorter one.`)
  if (odd.test(text)) throw malformed(text, 'The url has spaces, backslashes or invisible characters. Write them as %20, %5C and so on.')
  const authority = shape.exec(text)?.groups?.['authority']
  if (authority === undefined) throw malformed(text, `${shortened(text)} is no web address. Give one that begins with https:// or http://.`)
  if (authority.includes('@')) throw malformed(text, 'The url has a user name or a password before the host. Leave it out.')
  const url = parse(text)
  const host = hostOf(url, authority, text)
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (port === 0) throw malformed(text, 'The url has the port 0, which nothing can listen on. Give another port.')
  url.hash = ''
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
  return { url: url.href, protocol, host, port, origin: url.origin, path: `${url.pathname}${url.search}` }
}

function parse(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw malformed(text, `${shortened(text)} is no valid url. Check the host and the port.`)
  }
}

/** The host as it was parsed, where it was written so (URL-2). */
function hostOf({ hostname }: URL, authority: string, text: string): string {
  const written = authority.replace(/:\d*$/, '').toLowerCase()
  if (hostname === '' || written === '') throw malformed(text, 'The url has no host. Give one, as in https://example.com/.')
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  if (hostname !== written) throw malformed(text, `The host ${shortened(written)} is an unusual spelling. Write ${hostname}.`)
  if (isIPv4(hostname)) return hostname
  if (hostname.endsWith('.')) throw malformed(text, `The host ends with a dot. Write ${hostname.replace(/\.+$/, '')}.`)
  if (hostname.length > 253 || !hostname.split('.').every((part) => label.test(part))) {
    throw malformed(text, `${shortened(hostname)} cannot be the name of a host. Use letters, digits and hyphens, with dots between the parts.`)
  }
  return hostname
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}...` : text)

/** Whether a host is an address, not a name. */
export const isAddress = (host: string): boolean => isIP(host) !== 0

/** The host of an address in its one form, for rules of permissions; undefined where the address would be refused. */
export function hostOfUrl(text: string): string | undefined {
  try {
    return canonicalUrl(text).host
  } catch {
    return undefined
  }
}

/**
 * Whether a host matches a pattern: `example.com` is that host alone, `*.example.com` the hosts one label below it, `**.example.com` all hosts below it.
 *
 * @example
 * matchesHost('**.example.com', 'api.example.com')      // true
 * matchesHost('**.example.com', 'example.com.evil.net') // false
 */
export function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase().split('.')
  const given = host.toLowerCase().split('.')
  if (given.includes('')) return false
  const [first] = wanted
  if (isAddress(host) || (first !== '*' && first !== '**')) return pattern.toLowerCase() === host.toLowerCase()
  const suffix = wanted.slice(1)
  if (suffix.length === 0 || suffix.some((part) => part === '' || part.includes('*'))) return false
  const above = given.length - suffix.length
  if (above < 1 || (first === '*' && above !== 1)) return false
  return suffix.every((part, index) => part === given[above + index])
}
