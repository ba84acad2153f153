/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export { createJournal, missingParent, staleCursor } from './create-journal.ts'
export { amountOf, decide, defaultLoop, isAtRest, limitAdvice } from './decide.ts'
export { inDoubt, stepName, stepsNote, unknownOutcome } from './decide-calls.ts'
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
  LoomEvent,
} from './event.ts'
export type {
  ModelReply,
  Note,
  ParentLink,
  QuestionData,
  Rebase,
  RetrievedDocument,
  Seq,
  ToolOutcome,
  ToolStart,
} from './event.ts'
export { evolve } from './evolve.ts'
export type { Call, Context, Entry, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts'
export { emptyFrame, isOver } from './frame.ts'
export { callOf } from './fresh.ts'
export type { AcquireResult, AppendResult, Batch, Claim, ForkOf, Head, Incarnation, Journal, JournalTraits, OwnEvents } from './journal.ts'
export type { FeedEntry, FeedPage, FeedQuery, FeedRange, HeadTimes } from './journal.ts'
export type { ReadRange, RemoveOptions, RemoveResult, Store, Summary, ThreadQuery } from './journal.ts'
export { compareHeads, isDescribed, matches, readEvents } from './journal.ts'
export { canonicalJson, freshDigest, type Json, type JsonObject, own, rollDigest, rollJson } from './json.ts'
export { append, at, emptyList, items, type List, replaceAt } from './list.ts'
export type { BlobRef, CallPart, CallResult, FilePart, Message, Output, Part, ProviderMetadata, ToolSpec, Usage } from './message.ts'
export { addUsage, textOf } from './message.ts'
export type { Clock, Hash, Ids, Outbox, Performer, Random } from './ports.ts'
export { decodeBatch, encodeBatch, type Place, place } from './record.ts'
export { fold, frameAt, frames } from './replay.ts'
export type { Limits, LoopLimits, RunRequest, StartId } from './run-request.ts'
export { tt } from './step.ts'
export { summarize } from './summary.ts'
export { eventVersions, type Stored, type Upcasters, upcast, upcasters } from './upcast.ts'
