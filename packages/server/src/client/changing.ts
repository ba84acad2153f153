/** The operations that start, control, answer and remove. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Edit, ForkPlan, Input, ModelSettings, Question, ReplayReport } from '@loom-agent/agent'
import type { Failure, FileChange, FileConflict, JsonObject, Limits, Usage } from '@loom-agent/kernel'
import type { Lines } from './lines.ts'

/** The operations that start, control, answer and remove. */
export interface Changing {
  /** Exchanges the token that a browser was opened with for a cookie. */
  readonly openSession: {
    readonly body: { readonly token: string }
    readonly reply: undefined
  }
  /** Ends the session of this browser. */
  readonly endSession: {
    readonly reply: undefined
  }
  /** Calls a tool by hand, as a run of one turn on a thread of its own: permissions, questions, limits and the record are those of any call. */
  readonly tryTool: {
    readonly params: { readonly agent: string; readonly tool: string }
    readonly body: { readonly input: unknown; readonly thread?: string | undefined; readonly id?: string | undefined }
    readonly reply: { readonly thread: string; readonly run: string; readonly seq: number }
  }
  /** Starts a run. Returns when the start is durable; the run goes on whether the client stays or not. */
  readonly startRun: {
    readonly params: { readonly agent: string }
    readonly body: {
      readonly input: Input
      readonly thread?: string | undefined
      readonly id?: string | undefined
      readonly settings?: ModelSettings | undefined
      readonly limits?: Limits | undefined
      readonly metadata?: JsonObject | undefined
      readonly pin?: boolean | undefined
      readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
    }
    readonly reply: { readonly thread: string; readonly run: string; readonly seq: number }
  }
  /** Starts a run, and returns its result when it ends or waits. */
  readonly runToRest: {
    readonly params: { readonly agent: string }
    readonly body: {
      readonly input: Input
      readonly thread?: string | undefined
      readonly id?: string | undefined
      readonly settings?: ModelSettings | undefined
      readonly limits?: Limits | undefined
      readonly metadata?: JsonObject | undefined
      readonly pin?: boolean | undefined
      readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
    }
    readonly reply: {
      readonly thread: string
      readonly run: string
      readonly status: 'done' | 'waiting' | 'stopped' | 'failed'
      readonly text: string
      readonly output?: unknown
      readonly finish?: string | undefined
      readonly turns: number
      readonly usage: Usage
      readonly cost?: number | undefined
      readonly questions: readonly Question[]
      readonly reason?: string | undefined
      readonly kind?: string | undefined
      readonly until?: number | undefined
      readonly error?: Failure | undefined
    }
  }
  /** Removes a thread and its children; not while one of them is driven, or read by a fork. */
  readonly removeThread: {
    readonly params: { readonly thread: string }
    readonly reply: undefined
  }
  /** Sets labels of a thread, and removes those that are null; others stay. */
  readonly labelThread: {
    readonly params: { readonly thread: string }
    readonly body: { readonly labels: { readonly [name: string]: unknown } }
    readonly reply: undefined
  }
  /** Adds a message for the next turn. */
  readonly steerThread: {
    readonly params: { readonly thread: string }
    readonly body: { readonly text: string; readonly priority?: number | undefined }
    readonly reply: undefined
  }
  /** Asks the run under way to pause at its next safe point. */
  readonly pauseThread: {
    readonly params: { readonly thread: string }
    readonly reply: undefined
  }
  /** Goes on with a thread: after a pause, a failure, a raised limit, or a process that is gone. */
  readonly resumeThread: {
    readonly params: { readonly thread: string }
    readonly reply: undefined
  }
  /** Stops the run under way, also one that no process drives. Returns when the request is durable. */
  readonly stopThread: {
    readonly params: { readonly thread: string }
    readonly body: { readonly reason?: string | undefined }
    readonly reply: undefined
  }
  /** Asks for a shorter context before the next model call. */
  readonly compactThread: {
    readonly params: { readonly thread: string }
    readonly reply: undefined
  }
  /** Sends a value to a thread: to the first open wait of this name, or to the next one. */
  readonly signalThread: {
    readonly params: { readonly thread: string; readonly signal: string }
    readonly body: { readonly value?: unknown }
    readonly reply: undefined
  }
  /** Ends the quarantine of a thread that was imported. */
  readonly adoptThread: {
    readonly params: { readonly thread: string }
    readonly body: { readonly agent?: string | undefined }
    readonly reply: undefined
  }
  /** Forks a thread. The thread itself is only read. */
  readonly forkThread: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly at: number
      readonly thread?: string | undefined
      readonly edits?: readonly Edit[] | undefined
      readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined
      readonly limits?: Limits | undefined
      readonly resume?: boolean | undefined
    }
    readonly reply: { readonly thread: string; readonly from: string; readonly plan: ForkPlan }
  }
  /** What such a fork would reuse, run and risk; nothing is made. */
  readonly planFork: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly at: number
      readonly thread?: string | undefined
      readonly edits?: readonly Edit[] | undefined
      readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined
      readonly limits?: Limits | undefined
    }
    readonly reply: ForkPlan
  }
  /** Forks a thread, and puts the files of its workspace back as they were then. Sent again with the same id of the fork, it goes on. */
  readonly rewindThread: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly at: number
      readonly thread?: string | undefined
      readonly edits?: readonly Edit[] | undefined
      readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined
      readonly limits?: Limits | undefined
      readonly from?: string | undefined
    }
    readonly reply: {
      readonly thread: string
      readonly from: string
      readonly plan: ForkPlan
      readonly folder: string
      readonly files: readonly FileChange[]
      readonly conflicts: readonly FileConflict[]
      readonly unseen: readonly string[]
      readonly shared: readonly string[]
    }
  }
  /** What such a rewind would do to files and to the thread; nothing is made or changed. */
  readonly planRewind: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly at: number
      readonly thread?: string | undefined
      readonly edits?: readonly Edit[] | undefined
      readonly effects?: 'live' | 'recorded' | 'stub' | 'ask' | undefined
      readonly limits?: Limits | undefined
      readonly from?: string | undefined
    }
    readonly reply: {
      readonly fork: ForkPlan
      readonly folder: string
      readonly files: readonly FileChange[]
      readonly conflicts: readonly FileConflict[]
      readonly unseen: readonly string[]
      readonly shared: readonly string[]
    }
  }
  /** Sets where the runs of a thread stop, in place of the breakpoints before; also of its open children, and of those that it starts. */
  readonly setBreakpoints: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly breakpoints: readonly {
        readonly id?: string | undefined
        readonly hook?:
          | 'beforeIterationStart'
          | 'beforeContextAssembly'
          | 'afterContextAssembly'
          | 'beforeModelCall'
          | 'afterModelReply'
          | 'beforeToolExecution'
          | 'afterToolExecution'
          | 'beforeRecursion'
          | 'afterIterationEnd'
          | undefined
        readonly tool?: string | undefined
        readonly cost?: number | undefined
        readonly depth?: number | undefined
        readonly error?: boolean | undefined
        readonly once?: boolean | undefined
      }[]
    }
    readonly reply: undefined
  }
  /** Goes on with a run that has stopped: to the next place, over its children, out of a child, or without another stop by a step. */
  readonly stepThread: {
    readonly params: { readonly thread: string }
    readonly body: { readonly how: 'into' | 'over' | 'out' | 'continue' }
    readonly reply: undefined
  }
  /** Answers a question, and lets its thread go on. The author is who sends it. */
  readonly answerQuestion: {
    readonly params: { readonly question: string }
    readonly body: {
      readonly kind: 'approve' | 'edit' | 'reject' | 'respond'
      readonly scope?: 'thread' | undefined
      readonly limits?: Limits | undefined
      readonly input?: unknown
      readonly reason?: string | undefined
      readonly value?: unknown
      readonly digest?: string | undefined
    }
    readonly reply: undefined
  }
  /** What a thread would have sent to the model with other options, turn by turn. Nothing is called and nothing is appended. */
  readonly replayThread: {
    readonly params: { readonly thread: string }
    readonly body: {
      readonly mode?: 'stop-at-divergence' | 'continue-recorded' | undefined
      readonly instructions?: string | undefined
      readonly model?: string | undefined
      readonly settings?: ModelSettings | undefined
      readonly window?: number | undefined
      readonly context?:
        | {
            readonly strategy?: 'own' | 'everything' | 'window' | 'compress' | undefined
            readonly turns?: number | undefined
            readonly tokens?: number | undefined
            readonly max?: number | undefined
            readonly trigger?: number | undefined
            readonly target?: number | undefined
            readonly keep?:
              | readonly {
                  readonly kind: 'pin' | 'results' | 'tokens' | 'turns'
                  readonly entries?:
                    | readonly { readonly origin?: string | undefined; readonly number?: number | undefined; readonly item?: string | undefined }[]
                    | undefined
                  readonly tool?: string | undefined
                  readonly more?: number | undefined
                }[]
              | undefined
          }
        | undefined
    }
    readonly reply: ReplayReport
  }
  /** Stores a thread that was exported as lines. It can be read and removed, and runs nothing until it is adopted. */
  readonly importThread: {
    readonly lines: Lines
    readonly reply: {
      readonly thread: string
      readonly row: {
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
  }
}
