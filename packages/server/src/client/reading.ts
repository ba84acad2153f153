/** The operations that look at more than one thread. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Question } from '@loom-agent/agent'
import type { JournalTraits, Limits } from '@loom-agent/kernel'
import type { Advice, ComparedStep, MetricsSeries, MetricsSummary, ProjectorCounts, ResourceSample, Step, StepTotals } from '@loom-agent/telemetry'
import type { Stream } from './stream.ts'

/** The operations that look at more than one thread. */
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
  /** What this server is and does: versions, journal, workers, what it holds, what its process uses. */
  readonly getSystem: {
    readonly reply: {
      readonly about: { readonly [name: string]: string }
      readonly started: number
      readonly now: number
      readonly agents: readonly string[]
      readonly features: readonly string[]
      readonly journal: JournalTraits
      readonly events: unknown
      readonly threads: { readonly [name: string]: { readonly threads: number; readonly isMore: boolean } }
      readonly workers: readonly { readonly worker: string; readonly threads: number }[]
      readonly load: { readonly runs: number; readonly streams: number }
      readonly limits: { readonly body: number; readonly upload: number }
      readonly views: ProjectorCounts
      readonly resources?: readonly ResourceSample[] | undefined
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
              readonly permission: 'allow' | 'ask' | 'deny' | 'by call'
              readonly ruleName?: string | undefined
              readonly isDurable: boolean
              readonly isSerial: boolean
              readonly timeout?: number | undefined
            }[]
          | undefined
        readonly instructions?: string | undefined
        readonly output?: unknown
        readonly permissions?:
          | {
              readonly mode: 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass'
              readonly isShadow: boolean
              readonly rules: readonly {
                readonly id: string
                readonly tool: string
                readonly verdict: 'allow' | 'ask' | 'deny'
                readonly effects?: readonly ('pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe')[] | undefined
                readonly input?: unknown
                readonly isConditional: boolean
                readonly reason?: string | undefined
                readonly approvers?: number | undefined
                readonly expires?: number | undefined
              }[]
              readonly defaults: readonly { readonly id: string; readonly verdict: 'allow' | 'ask' | 'deny' }[]
            }
          | undefined
        readonly limits: Limits
        readonly settings?: unknown
        readonly context: string
        readonly window?: number | undefined
        readonly hooks: readonly {
          readonly name?: string | undefined
          readonly points: readonly (
            | 'beforeIterationStart'
            | 'beforeContextAssembly'
            | 'afterContextAssembly'
            | 'beforeModelCall'
            | 'afterModelReply'
            | 'beforeToolExecution'
            | 'afterToolExecution'
            | 'beforeRecursion'
            | 'afterIterationEnd'
          )[]
        }[]
        readonly guards: readonly string[]
        readonly workspace?: string | undefined
        readonly functions: readonly ('instructions' | 'tools' | 'deps')[]
      }[]
    }
  }
  /** An agent, with its tools, its rules and its limits. */
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
            readonly permission: 'allow' | 'ask' | 'deny' | 'by call'
            readonly ruleName?: string | undefined
            readonly isDurable: boolean
            readonly isSerial: boolean
            readonly timeout?: number | undefined
          }[]
        | undefined
      readonly instructions?: string | undefined
      readonly output?: unknown
      readonly permissions?:
        | {
            readonly mode: 'plan' | 'default' | 'accept-edits' | 'auto' | 'bypass'
            readonly isShadow: boolean
            readonly rules: readonly {
              readonly id: string
              readonly tool: string
              readonly verdict: 'allow' | 'ask' | 'deny'
              readonly effects?: readonly ('pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe')[] | undefined
              readonly input?: unknown
              readonly isConditional: boolean
              readonly reason?: string | undefined
              readonly approvers?: number | undefined
              readonly expires?: number | undefined
            }[]
            readonly defaults: readonly { readonly id: string; readonly verdict: 'allow' | 'ask' | 'deny' }[]
          }
        | undefined
      readonly limits: Limits
      readonly settings?: unknown
      readonly context: string
      readonly window?: number | undefined
      readonly hooks: readonly {
        readonly name?: string | undefined
        readonly points: readonly (
          | 'beforeIterationStart'
          | 'beforeContextAssembly'
          | 'afterContextAssembly'
          | 'beforeModelCall'
          | 'afterModelReply'
          | 'beforeToolExecution'
          | 'afterToolExecution'
          | 'beforeRecursion'
          | 'afterIterationEnd'
        )[]
      }[]
      readonly guards: readonly string[]
      readonly workspace?: string | undefined
      readonly functions: readonly ('instructions' | 'tools' | 'deps')[]
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
  /** The open questions: of a thread and its children, of an agent, or of all. */
  readonly listQuestions: {
    readonly query: { readonly thread?: string | undefined; readonly agent?: string | undefined }
    readonly reply: { readonly items: readonly Question[] }
  }
  /** Two threads, or two moments, step by step: what they begin with, and then aligned by what each step is. */
  readonly compareThreads: {
    readonly query: { readonly a: string; readonly b: string; readonly from?: number | undefined; readonly limit?: number | undefined }
    readonly reply: {
      readonly a: string
      readonly b: string
      readonly common: number
      readonly last?: { readonly a: Step; readonly b: Step } | undefined
      readonly counts: { readonly same: number; readonly changed: number; readonly removed: number; readonly added: number }
      readonly totals: { readonly a: StepTotals; readonly b: StepTotals }
      readonly isBest: boolean
      readonly items: readonly ComparedStep[]
      readonly next?: number | undefined
    }
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
  /** Figures of runs over time, in equal steps, by when the runs started. */
  readonly getMetricsSeries: {
    readonly query: {
      readonly agent?: string | undefined
      readonly from?: number | undefined
      readonly to?: number | undefined
      readonly step?: number | undefined
      readonly by?: 'all' | 'agent' | 'model' | 'status' | undefined
    }
    readonly reply: MetricsSeries
  }
  /** Several topics as one stream of server-sent events: `threads` (what changes in all of them), `thread:<id>`, `tree:<id>`. */
  readonly streamTopics: {
    readonly query: { readonly topics: string; readonly after?: string | undefined }
    readonly reply: Stream
  }
}
