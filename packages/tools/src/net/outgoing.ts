/** A request to addresses that were judged before. */
import type { Target } from './target.ts'

/** A request to one address. */
export interface Outgoing {
  /** The address as it was read. */
  readonly target: Target
  /** Where to connect to: IP addresses that may be reached. */
  readonly addresses: readonly string[]
  /** Such as `POST`. */
  readonly method: string
  /** The headers, with the length of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes that are sent. */
  readonly body?: Uint8Array | undefined
  /** Bytes that the headers of the reply may have. */
  readonly maxHeaderBytes: number
  /** Certificates of the authorities that are trusted; default: those that come with Node. */
  readonly ca?: readonly string[] | undefined
  /** Ends the request. */
  readonly signal: AbortSignal
  /** Called when the request is about to leave: from then on it may have been carried out. */
  readonly onSent: () => void
}
