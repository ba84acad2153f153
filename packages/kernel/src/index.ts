/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export { createJournal, missingParent } from './create-journal.ts'
export { amountOf, decide, defaultLoop, isAtRest, limitAdvice } from './decide.ts'
export { inDoubt, stepName, unknownOutcome } from './decide-calls.ts'
export type { Shell } from './driver.ts'
export { type CallTools, type Effect, type HookPoint, hookPoints, type Suspend, type Until, type Wait } from './effect.ts'
export { errorCodes, failureOf, isLoomError, isRecoverable, LoomError, type LoomErrorCode } from './errors.ts'
export type {
  Answer,
  Draft,
  EffectClass,
  Epoch,
  EventData,
  EventOf,
  EventType,
  Failure,
  ForkEffects,
  Limits,
  LoomEvent,
  LoopLimits,
} from './event.ts'
export type { ModelReply, Note, QuestionData, Rebase, RetrievedDocument, RunRequest, Seq, ToolOutcome, ToolStart } from './event.ts'
export { eventVersions } from './event.ts'
export { evolve } from './evolve.ts'
export type { Call, Context, Entry, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts'
export { emptyFrame, isOver } from './frame.ts'
export { callOf } from './fresh.ts'
export type { AcquireResult, AppendResult, Batch, Claim, ForkOf, Head, Incarnation, Journal, JournalTraits, LeaseId, OwnEvents } from './journal.ts'
export type { ReadRange, RemoveOptions, RemoveResult, Store, Summary, ThreadQuery } from './journal.ts'
export { matches, readEvents } from './journal.ts'
export { canonicalJson, freshDigest, type Json, type JsonObject, own, rollDigest, rollJson } from './json.ts'
export { append, at, emptyList, items, type List, replaceAt } from './list.ts'
export type { BlobRef, CallPart, CallResult, FilePart, Message, Output, Part, ProviderMetadata, ToolSpec, Usage } from './message.ts'
export { addUsage, textOf } from './message.ts'
export type { Clock, Hash, Ids, Outbox, Performer, Random } from './ports.ts'
export { decodeBatch, encodeBatch, type Place, place } from './record.ts'
export { type Difference, diffFrames, fold, frameAt, frames } from './replay.ts'
export { tt } from './step.ts'
export { summarize } from './summary.ts'
export { type Stored, type Upcasters, upcast, upcasters } from './upcast.ts'
