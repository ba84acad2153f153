/** A server of Loom for Node. */

export type { RetryPolicy } from '../webhook/attempt.ts'
export type { Webhook } from '../webhook/drive-webhooks.ts'
export type { SendOptions } from './send-webhook.ts'
export { type LoomServer, type ServeOptions, serve } from './serve.ts'
