/** The options of requests. */
import type { ReachOptions } from './reach.ts'

/** The options of requests. */
export interface HttpOptions extends ReachOptions {
  /**
   * Headers that the program adds for an origin, such as credentials: `{ 'https://api.example.com': { authorization: '...' } }`. The model neither sees
   * nor sets them, and their values are masked in what it reads.
   */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Which redirects are followed: to the same host alone, or to any host that may be reached; default `same-host`, and others are reported. */
  readonly redirects?: 'same-host' | 'any'
  /** Milliseconds for a request with all its redirects and its body; default 30,000. */
  readonly timeout?: number
  /** Bytes of an uncompressed body that are read; default 2 MiB. */
  readonly maxBytes?: number
  /** Bytes that the headers of a reply may have; default 16 KiB. */
  readonly maxHeaderBytes?: number
  /** Certificates of the authorities that are trusted, in PEM form; default: those that come with Node. */
  readonly ca?: readonly string[]
}
