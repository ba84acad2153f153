/** A server of Loom for Node. */
export { type LoomServer, type ServeOptions, serve } from './serve.ts'
