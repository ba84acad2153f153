/** Waiting for a signal in a durable body. */
import type { Json } from '@loom-agent/kernel'
import type { InputTaint } from './input-taint.ts'
import type { Infer, Schema } from './schema.ts'

/** How a durable body waits for a signal. */
export interface WaitOptions<S extends Schema = Schema> {
  /** When the wait ends without a signal: a date, or milliseconds since 1970, not a duration; default: never. */
  readonly until?: number | Date
  /** What the value must fit; types it. A value that does not fit throws `LOOM_SIGNAL_INVALID` in the body. */
  readonly schema?: S
}

/** How a wait ended: the signal came, or its time passed. */
export type Received<S extends Schema = Schema> =
  | {
      readonly status: 'received'
      /** What was sent. */
      readonly value: unknown extends Infer<S> ? Json : Infer<S>
    }
  | { readonly status: 'expired' }

/** Who sends a signal, and what it holds. */
interface SignalOptions {
  readonly by?: string | undefined
  readonly taint?: InputTaint | undefined
}

/** What is sent besides the thread: the name, a value that is stored as JSON, the sender, and what of it others wrote. */
export type SignalArguments = [name: string, value?: unknown, options?: SignalOptions]
