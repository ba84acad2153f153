/** Servers that reply like the vendors and refuse what the vendors refuse. */
export type { WireArrival, WireBill, WirePrice } from './arrival.ts'
export type { WireCall, WireFault, WireFinish, WireReply, WireUsage } from './reply.ts'
export { type WireServer, type WireServerOptions, type WireStep, wireServer } from './server.ts'
export { validateWire, wireRules } from './validate.ts'
export { type Check, type Complaint, type Refusal, type Wire, type WireProblem, type WireRequest, type WireRule, wires } from './wire.ts'
