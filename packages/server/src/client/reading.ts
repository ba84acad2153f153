/** The operations that look. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Difference, Explanation, Presence, Question, RequestAt, TurnSummary } from '@loom-agent/agent'
import type { LoomEvent } from '@loom-agent/kernel'
import type {
  Advice,
  ChainedCall,
  ChatItem,
  Columns,
  ContextMatrix,
  CostNode,
  EventHeader,
  MetricsSummary,
  Overview,
  RunMetrics,
} from '@loom-agent/telemetry'
import type { PlainFrame } from './plain-frame.ts'
import type { Stream } from './stream.ts'

/** The operations that look. */
export interface Reading {
  /** Whether the server can be reached, and can reach its journal. */
  readonly getHealth: {
    readonly reply: { readonly ok: boolean }
  }
  /** What is served, to whom, and how much of it is under way. */
  readonly getInfo: {
    readonly reply: {
      readonly agents: readonly string[]
      readonly journal: unknown
      readonly identity: { readonly name: string; readonly scopes: readonly string[] }
      readonly runs: number
      readonly streams: number
      readonly events: unknown
    }
  }
  /** The agents that are served. */
  readonly listAgents: {
    readonly reply: {
      readonly items: readonly {
        readonly name: string
        readonly description: string
        readonly model?: string | undefined
        readonly fingerprint: string
        readonly tools?:
          | readonly {
              readonly name: string
              readonly description?: string | undefined
              readonly effect: 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'
              readonly input: unknown
            }[]
          | undefined
      }[]
    }
  }
  /** An agent, with its tools. */
  readonly getAgent: {
    readonly params: { readonly agent: string }
    readonly reply: {
      readonly name: string
      readonly description: string
      readonly model?: string | undefined
      readonly fingerprint: string
      readonly tools?:
        | readonly {
            readonly name: string
            readonly description?: string | undefined
            readonly effect: 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'
            readonly input: unknown
          }[]
        | undefined
    }
  }
  /** Threads, page by page; those that changed last first. */
  readonly listThreads: {
    readonly query: {
      readonly agent?: string | undefined
      readonly status?: 'idle' | 'running' | 'waiting' | 'done' | 'failed' | 'stopped' | 'partial' | undefined
      readonly parent?: string | undefined
      readonly labels?: string | undefined
      readonly sort?: 'id' | 'changed' | 'latest' | undefined
      readonly since?: number | undefined
      readonly before?: number | undefined
      readonly after?: string | undefined
      readonly limit?: number | undefined
    }
    readonly reply: {
      readonly items: readonly {
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
      }[]
      readonly next?: string | undefined
    }
  }
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
  /** The open questions: of a thread and its children, of an agent, or of all. */
  readonly listQuestions: {
    readonly query: { readonly thread?: string | undefined; readonly agent?: string | undefined }
    readonly reply: { readonly items: readonly Question[] }
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
  /** What the model was sent at a moment, rendered again from the record. */
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
  /** Figures of the runs of all threads, and what they suggest. */
  readonly getMetrics: {
    readonly query: { readonly agent?: string | undefined; readonly since?: number | undefined; readonly before?: number | undefined }
    readonly reply: { readonly summary: MetricsSummary; readonly advice: readonly Advice[] }
  }
  /** The same figures as Prometheus reads them. */
  readonly getPrometheus: {
    readonly query: { readonly agent?: string | undefined; readonly since?: number | undefined; readonly before?: number | undefined }
    readonly reply: string
  }
  /** The events of a thread as they are stored, and its signals where this server drives it, as server-sent events. */
  readonly streamThread: {
    readonly params: { readonly thread: string }
    readonly query: { readonly after?: string | undefined; readonly nested?: boolean | undefined; readonly until?: 'rest' | undefined }
    readonly reply: Stream
  }
  /** Several topics as one stream of server-sent events: `threads` (what changes in all of them), `thread:<id>`, `tree:<id>`. */
  readonly streamTopics: {
    readonly query: { readonly topics: string; readonly after?: string | undefined }
    readonly reply: Stream
  }
}
