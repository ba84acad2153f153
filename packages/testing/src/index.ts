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
export { assertChaos, type ChaosContext, type ChaosFinding, type ChaosOptions, type ChaosReport, chaos, chaosText } from './crash/chaos.ts'
export type { Finding, FindingKind } from './crash/finding.ts'
export type { InputOptions } from './crash/scenario.ts'
export { type SteadyLine, steadyModel } from './crash/steady-model.ts'
export type { CrashStorage, CrashStorageFactory } from './crash/storage.ts'
export { type Expected, facts, type Given, given } from './given.ts'
export { assertHistory, checkHistory } from './history/check-history.ts'
export { checkPairing } from './history/check-pairing.ts'
export { type HistoryRule, historyRules, type Violation } from './history/rules.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'
export { alwaysReenter, alwaysReplay, assertSameFrame, deepFreeze } from './modes.ts'
export { type Death, type MortalJournal, mortalJournal } from './mortal-journal.ts'
export { assertSameRun, type GivenRun, type SameRunOptions } from './regression/assert-same-run.ts'
export { RunDivergence } from './regression/divergence.ts'
export type { Fixture, FixtureSource } from './regression/fixture.ts'
export { type Redact, redactSecrets } from './regression/redact.ts'
export { type Regression, type RegressionOptions, writeRegression } from './regression/write-regression.ts'
export { type ScriptedCall, type ScriptedModel, type ScriptedReply, type ScriptStep, scriptedModel } from './scripted-model.ts'
