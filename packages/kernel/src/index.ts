/** Loom's kernel: facts, frames, the pure step, and the journal contract. */
export { decide, defaultLoop, isAtRest, replyText } from './decide.ts'
export { unknownOutcome } from './decide-calls.ts'
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
  Limits,
  LoomEvent,
  LoopLimits,
  ModelReply,
  ToolOutcome,
  ToolStart,
} from './event.ts'
export { eventVersions, type Note, type QuestionData, type Rebase, type RetrievedDocument, type RunRequest, type Seq } from './event.ts'
export { evolve } from './evolve.ts'
export {
  type Call,
  type Context,
  type Entry,
  emptyFrame,
  type Frame,
  isOver,
  type OpenStep,
  type Question,
  type Run,
  type StepRecord,
} from './frame.ts'
export { callOf } from './fresh.ts'
export {
  type AcquireResult,
  type AppendResult,
  type Batch,
  type Head,
  type Journal,
  type JournalTraits,
  readEvents,
  type Summary,
  type ThreadQuery,
} from './journal.ts'
export { canonicalJson, freshDigest, type Json, type JsonObject, rollDigest, rollJson } from './json.ts'
export { append, at, emptyList, items, type List, replaceAt } from './list.ts'
export { matches, memoryJournal } from './memory-journal.ts'
export type { ProviderMetadata, ToolSpec, Usage } from './message.ts'
export { addUsage, type BlobRef, type CallPart, type CallResult, type FilePart, type Message, type Output, type Part, textOf } from './message.ts'
export type { Clock, Desk, Hash, Ids, Performer, Random } from './ports.ts'
export { decodeBatch, encodeBatch, type Place, place } from './record.ts'
export { type Difference, diffFrames, fold, frameAt, frames } from './replay.ts'
export { type Shell, tt } from './step.ts'
export { summarize } from './summary.ts'
export { type Stored, type Upcasters, upcast, upcasters } from './upcast.ts'
