/** Loom's testing kit. */
export {
  type ContractCase,
  type ContractOptions,
  type ContractRule,
  type ContractRunner,
  contractCases,
  contractRules,
  journalContract,
  type Reopen,
} from './contract/contract.ts'
export { type EffectServer, performEffect, startEffectServer } from './effect-server.ts'
export { type Expected, facts, type Given, given } from './given.ts'
export { assertHistory, checkHistory } from './history/check-history.ts'
export { checkPairing } from './history/check-pairing.ts'
export { type HistoryRule, historyRules, type Violation } from './history/rules.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'
export { alwaysReenter, alwaysReplay, assertSameFrame, deepFreeze } from './modes.ts'
export { type Death, type MortalJournal, mortalJournal } from './mortal-journal.ts'
export { type ScriptedCall, type ScriptedModel, type ScriptedReply, type ScriptStep, scriptedModel } from './scripted-model.ts'
export type { WireArrival, WireBill, WirePrice } from './wire/arrival.ts'
export type { WireCall, WireFault, WireFinish, WireReply, WireUsage } from './wire/reply.ts'
export { type WireServer, type WireServerOptions, type WireStep, wireServer } from './wire/server.ts'
export { validateWire, wireRules } from './wire/validate.ts'
export { type Complaint, type Wire, type WireProblem, type WireRequest, type WireRule, wires } from './wire/wire.ts'
