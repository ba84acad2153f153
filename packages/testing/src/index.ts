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
export type { Boundary, Deed } from './crash/boundary.ts'
export { assertChaos, type ChaosFinding, type ChaosOptions, type ChaosReport, type ChaosScene, chaos, chaosText } from './crash/chaos.ts'
export { assertCrashes, type CrashPoint, type CrashReport, crashText, type EnumerateOptions, enumerateCrashes, isClean } from './crash/enumerate.ts'
export { type Finding, type FindingKind, findingText } from './crash/finding.ts'
export { crashMatrix, type MatrixOptions, matrixText } from './crash/matrix.ts'
export { type CountingOutside, countingOutside } from './crash/outside.ts'
export { type AnswerKind, type CallKind, callKinds, type Plan, type PlanScene, type PlanWorld, planAgent, planAnswer } from './crash/plan.ts'
export type { CrashScenario, Meddling, Scene, Stage, StageOptions } from './crash/scenario.ts'
export { crashScenarios } from './crash/scenarios/scenarios.ts'
export { type SimFault, type SimOdds, simFaults } from './crash/sim-faults.ts'
export { assertSimulation, type SimulateOptions, type Simulation, simulate } from './crash/simulate.ts'
export { type SteadyLine, steadyModel } from './crash/steady-model.ts'
export { type CrashStorage, type CrashStorageFactory, memoryStorage } from './crash/storage.ts'
export type { VerdictKind } from './crash/verdict.ts'
export { type EffectServer, performEffect, startEffectServer } from './effect-server.ts'
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
export type { WireArrival, WireBill, WirePrice } from './wire/arrival.ts'
export type { WireCall, WireFault, WireFinish, WireReply, WireUsage } from './wire/reply.ts'
export { type WireServer, type WireServerOptions, type WireStep, wireServer } from './wire/server.ts'
export { validateWire, wireRules } from './wire/validate.ts'
export { type Complaint, type Wire, type WireProblem, type WireRequest, type WireRule, wires } from './wire/wire.ts'
