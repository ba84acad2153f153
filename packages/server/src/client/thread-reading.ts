/** The operations that look at one thread. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Difference, Explanation, Presence, RequestAt, TurnSummary } from '@loom-agent/agent'
import type { Breakpoint, LoomEvent } from '@loom-agent/kernel'
import type { ChainedCall, ChatItem, Columns, ContextMatrix, CostNode, EventHeader, Overview, RunMetrics, TurnChanges } from '@loom-agent/telemetry'
import type { PlainFrame } from './plain-frame.ts'
import type { Stream } from './stream.ts'

/** The operations that look at one thread. */
export interface ThreadReading {
  /** A thread as it is now. */
  readonly getThread: {
    readonly params: { readonly thread: string }
    readonly reply: {
      readonly thread: string
      readonly incarnation: string
      readonly status: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial'
      readonly agent?: string | undefined
      readonly parent?: string | undefined
      readonly labels?: unknown
      readonly wakeAt?: number | undefined
      readonly quarantined?: boolean | undefined
      readonly seq: number
      readonly epoch: number
      readonly holder?: string | undefined
      readonly forkOf?: string | undefined
      readonly began: number
      readonly changed: number
    }
  }
  /** Where the runs of a thread stop, and where the run under way has stopped. */
  readonly getBreakpoints: {
    readonly params: { readonly thread: string }
    readonly reply: { readonly items: readonly Breakpoint[]; readonly isPaused: boolean; readonly at?: string | undefined }
  }
  /** Events of a thread, as they are stored. */
  readonly listEvents: {
    readonly params: { readonly thread: string }
    readonly query: { readonly from?: number | undefined; readonly limit?: number | undefined; readonly types?: string | undefined }
    readonly reply: { readonly items: readonly LoomEvent[]; readonly next?: number | undefined }
  }
  /** Events of a thread in one line each, without their data. */
  readonly listEventHeaders: {
    readonly params: { readonly thread: string }
    readonly query: { readonly from?: number | undefined; readonly limit?: number | undefined; readonly types?: string | undefined }
    readonly reply: { readonly items: readonly EventHeader[]; readonly next?: number | undefined }
  }
  /** One event with its data. */
  readonly getEvent: {
    readonly params: { readonly thread: string; readonly seq: string }
    readonly reply: LoomEvent
  }
  /** Bytes that an event of the thread refers to. */
  readonly getBlob: {
    readonly params: { readonly thread: string; readonly hash: string }
    readonly reply: Uint8Array
  }
  /** A part of the data of an event, as text: the value at a path, from one character to another. */
  readonly getPayload: {
    readonly params: { readonly thread: string; readonly seq: string }
    readonly query: { readonly path?: string | undefined; readonly from?: number | undefined; readonly length?: number | undefined }
    readonly reply: { readonly text: string; readonly isText: boolean; readonly length: number; readonly next?: number | undefined }
  }
  /** The spans of a thread, in columns. */
  readonly getSkeleton: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: Columns
  }
  /** Costs, tokens, errors and parallel calls of a thread over time, in buckets. */
  readonly getOverview: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined; readonly buckets?: number | undefined }
    readonly reply: Overview
  }
  /** What a thread has cost, as a tree. */
  readonly getCosts: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: CostNode
  }
  /** A thread as a conversation. */
  readonly getChat: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: readonly ChatItem[]
  }
  /** The calls of a thread, in order. */
  readonly getToolChain: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: readonly ChainedCall[]
  }
  /** Which request has shown which entry of the history how. */
  readonly getContextMatrix: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: ContextMatrix
  }
  /** Figures of the runs of a thread. */
  readonly getRunMetrics: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: readonly RunMetrics[]
  }
  /** What became of the files of workspaces, turn by turn. */
  readonly getFileChanges: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: readonly TurnChanges[]
  }
  /** A thread for another tool: speedscope, Perfetto, a receiver of OpenTelemetry, or a reader of Markdown. */
  readonly exportThread: {
    readonly params: { readonly thread: string }
    readonly query: { readonly format: 'speedscope' | 'chrome' | 'otlp' | 'markdown'; readonly at?: number | undefined }
    readonly reply: unknown
  }
  /** The state of a thread after an event, folded from its events. */
  readonly getFrame: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: PlainFrame
  }
  /** Where two moments differ, of one thread or of two. */
  readonly getDifference: {
    readonly params: { readonly thread: string }
    readonly query: { readonly from: number; readonly to: number; readonly with?: string | undefined }
    readonly reply: { readonly items: readonly Difference[] }
  }
  /** The turns of a thread, in order. */
  readonly listTurns: {
    readonly params: { readonly thread: string }
    readonly reply: { readonly items: readonly TurnSummary[] }
  }
  /** What the model was sent at a moment, rendered again from the record, with marks in place of secrets. */
  readonly getRequest: {
    readonly params: { readonly thread: string }
    readonly query: { readonly at?: number | undefined }
    readonly reply: RequestAt
  }
  /** What a request held, what it did not hold, and why. */
  readonly getExplanation: {
    readonly params: { readonly thread: string }
    readonly query: {
      readonly at?: number | undefined
      readonly turn?: number | undefined
      readonly text?: string | undefined
      readonly seq?: number | undefined
      readonly call?: string | undefined
      readonly item?: string | undefined
    }
    readonly reply: Explanation
  }
  /** Which entries of a thread were in the requests of which turns. */
  readonly getPresence: {
    readonly params: { readonly thread: string }
    readonly query: {
      readonly text?: string | undefined
      readonly seq?: number | undefined
      readonly call?: string | undefined
      readonly item?: string | undefined
    }
    readonly reply: Presence
  }
  /** The events whose data holds some words, in any letter case. */
  readonly searchThread: {
    readonly params: { readonly thread: string }
    readonly query: { readonly words: string }
    readonly reply: { readonly items: readonly unknown[] }
  }
  /** A thread with all that it needs, as lines that can be imported: its children, and the past of a fork. */
  readonly exportWholeThread: {
    readonly params: { readonly thread: string }
    readonly reply: Uint8Array
  }
  /** The events of a thread as they are stored, and its signals where this server drives it, as server-sent events. */
  readonly streamThread: {
    readonly params: { readonly thread: string }
    readonly query: { readonly after?: string | undefined; readonly nested?: boolean | undefined; readonly until?: 'rest' | undefined }
    readonly reply: Stream
  }
}
