/** Requests to addresses that are judged first: what other packages of Loom send them with. It is no part of the public API and may change with any release. */
export { exchange, type Outgoing } from './net/exchange.ts'
export { createReach, type Reach, type ReachOptions, type ResolveHost } from './net/reach.ts'
export { canonicalUrl, type Target } from './net/target.ts'
