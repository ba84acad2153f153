/** What the options of requests must be. */
import { type Expected, expected } from '@loom-agent/agent/kit'
import type { HttpOptions } from './http-options.ts'
import { allowedHost } from './reach.ts'

const host: Expected = { words: 'a host', fits: (value) => typeof value === 'string' && allowedHost(value) !== undefined }
const pattern: Expected = { words: 'a pattern', fits: (value) => typeof value === 'string' && /^(?:\*{1,2}\.)?[a-z0-9_.:-]+$/.test(value) }
const port: Expected = { words: 'a port', fits: (value) => expected.whole(1).fits(value) && Number(value) < 65_536 }
const ports = expected.list(port, 'a list of ports')
/** Names of headers that have to do with the connection itself. */
const connection = /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|proxy-.*)$/i

/** Whether a value is headers with names and values that HTTP knows, none of which is about the connection. */
const isHeaders = (value: unknown): boolean =>
  expected.object.fits(value) && Object.entries(value as object).every(([name, text]) => isHeader(name, text) && !isConnectionHeader(name))

/** Whether a header has a name and a value that HTTP knows. */
export const isHeader = (name: string, value: unknown): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && typeof value === 'string' && value.length <= 8192 && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Whether a header is about the connection: these are set by the client alone. */
export const isConnectionHeader = (name: string): boolean => connection.test(name)

const isByOrigin = (value: unknown): boolean =>
  expected.object.fits(value) &&
  Object.entries(value as object).every(([origin, headers]) => URL.parse(origin)?.origin === origin && isHeaders(headers))

/** What each option of requests must be. */
export const httpShape: Readonly<Record<keyof HttpOptions, Expected>> = {
  allow: expected.list(host, 'a list of hosts, such as "localhost:3000"'),
  hosts: expected.list(pattern, 'a list of patterns in lower case, such as "**.example.com"'),
  ports,
  ownPorts: expected.either(ports, expected.function),
  resolve: expected.function,
  headers: { words: 'headers by origin, such as { "https://api.example.com": { authorization: "..." } }', fits: isByOrigin },
  redirects: expected.oneOf('same-host', 'any'),
  timeout: expected.finite(1),
  maxBytes: expected.whole(1),
  maxHeaderBytes: expected.whole(256),
  ca: expected.list(expected.text, 'a list of certificates in PEM form'),
}
