/** The typed client of a server of Loom, for browsers and programs. */
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts'
export type { Lines } from './lines.ts'
export type { Operation, Operations } from './operations.ts'
export type { PlainCall, PlainFrame, PlainRun } from './plain-frame.ts'
export type { ServerMessage, Stream } from './stream.ts'
