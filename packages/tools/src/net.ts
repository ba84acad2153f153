/** Requests to addresses that are judged first: what other packages of Loom send them with. It is no part of the public API and may change with any release. */
export type { Outgoing } from './net/outgoing.ts'
export { createReach, type Reach, type ReachOptions, type ResolveHost } from './net/reach.ts'
export { type ReplyHead, sendRequest } from './net/send-request.ts'
export { canonicalUrl, type Target } from './net/target.ts'
