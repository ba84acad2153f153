/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export type { Context, ContextBudget, ContextItem, ContextSummary, Layer, Rebase, Segment, Trim } from './context.ts'
export { createJournal, missingParent, staleCursor, threadQuarantined } from './create-journal.ts'
export { decide, defaultLoop, isAtRest } from './decide.ts'
export { inDoubt, keysInDoubt, leaveCalls, stepName, stepsNote, unknownOutcome } from './decide-calls.ts'
export type { Shell } from './driver.ts'
export type { CallTools, Effect, Reached, StopCause, Suspend, Until, Wait } from './effect.ts'
export type { Entry } from './entry.ts'
export { errorCodes, isLoomError, LoomError, type LoomErrorCode } from './errors.ts'
export type { Answer, Blobs, Draft, EffectClass, Epoch, EventData, EventOf, EventType, Failure, ForkEffects, LoomEvent } from './event.ts'
export type { ModelReply, Note, ParentLink, QuestionData, RetrievedDocument, Seq, StopKind, StreamedDelta } from './event.ts'
export type { ToolOutcome, ToolStart, WholeResult } from './event.ts'
export { evolve, fold } from './evolve.ts'
export type { FileChange, FileChanges, FileConflict, FileFacts, FileMode, FileModes } from './file-facts.ts'
export type { Call, Frame, OpenQuestion, OpenStep, Run, StepRecord } from './frame.ts'
export { emptyFrame, isOver } from './frame.ts'
export { callOf, indexOf } from './fresh.ts'
export type { AcquireResult, AppendResult, Batch, Claim, ForkOf, Head, Incarnation, Journal, JournalTraits, LeaseId, OwnEvents } from './journal.ts'
export type { FeedEntry, FeedPage, FeedQuery, FeedRange, HeadTimes, ReadRange, RemoveOptions, RemoveResult, Store, Summary } from './journal.ts'
export { compareHeads, isDescribed, matches, mayGoOn, readEvents, type ThreadQuery } from './journal.ts'
export { canonicalJson, freshDigest, type Json, type JsonObject, own, rollDigest, rollJson } from './json.ts'
export { append, at, emptyList, items, type List, replaceAt } from './list.ts'
export type {
  ArgumentKind,
  ArgumentKinds,
  BlobRef,
  CallPart,
  CallResult,
  FilePart,
  Message,
  Output,
  Part,
  ProviderMetadata,
  ToolSpec,
  Usage,
} from './message.ts'
export { addUsage } from './message.ts'
export { callWindow, openCalls } from './open-calls.ts'
export type { Clock, Outbox, Performer } from './ports.ts'
export { decodeBatch, encodeBatch, nextPlace, type Place, place } from './record.ts'
export { type Guarded, type Limits, type LoopLimits, leastGrant, type RunRequest, type StartId, type Taint, type TaintedBy } from './run-request.ts'
export type { DroppedDelivery, DueRun, MissedRule, ScheduleData, ScheduledStart, ScheduleSet, Timing } from './schedule-facts.ts'
export { tt } from './step.ts'
export { summarize } from './summary.ts'
export { addTaint } from './taint.ts'
export { eventVersions, type Stored, type Upcasters, upcast, upcasters } from './upcast.ts'
