/** The machinery below `chaos`: crash any scenario at any crash point, on any journal, and judge what is left. */

export { randomOf } from '../double/random.ts'
export type { RebuiltAgent } from '../double/rebuild-agent.ts'
export { type CrashPoint, crashPointText, type Operation } from './crash-point.ts'
export {
  answerByTruth,
  createEffectLog,
  type EffectLog,
  type EffectPlace,
  type Execution,
  placeText,
  type Truth,
  textOf,
  truthOf,
  type WorldCall,
} from './effect-log.ts'
export { assertCrashes, type CrashOutcome, type CrashReport, crashText, type EnumerateOptions, enumerateCrashes, isClean } from './enumerate.ts'
export { type ExternalWorld, externalWorld, worldView } from './external-world.ts'
export { type Finding, type FindingKind, findingKinds, findingText } from './finding.ts'
export { instrument } from './instrument.ts'
export { judge, judgeAlone, type Verdict, type VerdictKind } from './judge.ts'
export { createObserver, observedRecord, type TrialObserver } from './observer.ts'
export { processJournal } from './process-journal.ts'
export { type Acknowledged, createRecord, type Evidence, eventsOf, type TrialRecord, threadsOf } from './record.ts'
export type { CrashScenario, InputOptions, Interruption, ProcessContext, SimulatedUser } from './scenario.ts'
export { createProcess, type Fate, processOf, type SimulatedProcess } from './simulated-process.ts'
export { type CrashStorage, type CrashStorageFactory, memoryStorage } from './storage.ts'
export type { Transcript } from './transcript.ts'
export { runTrial, type Trial, type TrialOptions } from './trial.ts'
