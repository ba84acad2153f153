/** Explanations, as users see them: what became of everything that a request could have held. */
import type { ContextBudget, Entry, Seq } from '@loom-agent/kernel'
import type { ContextStrategy } from '../context/strategy.ts'

/**
 * The kind of a part of the context: the system text, a tool, a summary, words for what is not shown (`gap`), a message that a hook put into the request
 * (`inserted`), or an entry of the history by its origin.
 */
export type PartKind = 'system' | 'tool' | 'summary' | 'gap' | 'inserted' | Entry['origin']

/** A result that was shown in part. */
export interface CutResult {
  /** The id of the call, `turn.index`. */
  readonly call: string
  /** The name of the tool. */
  readonly tool: string
  /** The rule of the trim. */
  readonly rule: string
  /** How many characters of the result are left. */
  readonly left: number
  /** How many characters it had. */
  readonly of: number
}

/** A part that takes room in the request. */
export interface RoomTaken {
  /** What kind of part it is. */
  readonly kind: PartKind
  /** The index of the entry in the history, for parts that are entries. */
  readonly entry?: number
  /** How the part begins. */
  readonly text: string
  /** The tokens that it takes. */
  readonly tokens: number
}

/** What became of a part. `message` is the index of the message in the request that has it. */
export type Fate =
  | {
      /** Which of the fates it is. */
      readonly as: 'verbatim'
      /** Absent for tools, which are no messages. */
      readonly message?: number
    }
  | {
      readonly as: 'trimmed'
      readonly message: number
      /** The results that were cut. */
      readonly cuts: readonly CutResult[]
    }
  | {
      readonly as: 'summarised'
      /** The message that has the summary; absent when a hook took it out. */
      readonly message?: number
      /** The number of the summary among those of the thread; absent for a text of the strategy's own. */
      readonly summary?: number
      /** The section that shares words with the part. */
      readonly section?: string
      /** The line of that section that shares most words with the part. */
      readonly line?: string
      /** What the summary says that it left out of an earlier one, where that shares words with the part. */
      readonly leftOut?: string
    }
  | {
      readonly as: 'dropped'
      /** The rule that dropped it. */
      readonly rule: string
      /** Why, in words. */
      readonly reason: string
      /** The tokens that the decision was made by. */
      readonly budget?: ContextBudget
      /** The largest parts that were sent instead. */
      readonly took: readonly RoomTaken[]
    }
  | {
      readonly as: 'not yet'
      /** The seq of the event that brought it. */
      readonly seq: Seq
    }
  | {
      readonly as: 'never eligible'
      /** Why it could not be sent, in words. */
      readonly because: string
      /** The hook that took it out of the request. */
      readonly hook?: string
    }
  | {
      readonly as: 'replaced'
      /** What stands in its place, in words. */
      readonly by: string
      /** The seq of the event that replaced it. */
      readonly seq?: Seq
    }

/** A part of the context, and what became of it. */
export interface ContextPart {
  /** What kind of part it is. */
  readonly kind: PartKind
  /** The index of the entry in the history, for parts that are entries. */
  readonly entry?: number
  /** The seq of the event that brought the entry. */
  readonly seq?: Seq
  /** The turn in which it was first there. */
  readonly turn?: number
  /** The name of the tool or of the layer of the system text, the number of the summary, or the id of the item. */
  readonly name?: string
  /** Who gave a layer of the system text (`agent`, `hook`, `fork`, `loom`), or where an item comes from. */
  readonly origin?: string
  /** Set for an item that is not to be trusted. */
  readonly trust?: 'untrusted'
  /** Its first characters. */
  readonly text: string
  /** The tokens that it takes in the request; 0 when it is not there. */
  readonly tokens: number
  /** The tokens that it would take whole. */
  readonly size: number
  /** What became of it. */
  readonly fate: Fate
}

/** What is looked for: a text, the id of a call or of an item, the seq of an entry; a text alone is an id where there is one like it. */
export type ExplainWhat =
  | string
  | number
  | {
      /** A text, compared without case and spaces. */
      readonly text: string
    }
  | {
      /** The seq of the event that brought an entry. */
      readonly seq: Seq
    }
  | {
      /** The id of a call. */
      readonly call: string
    }
  | {
      /** The id of an item. */
      readonly item: string
    }

/** A place where something stands that was looked for. */
export interface FoundPart {
  /** The part that has it. */
  readonly part: ContextPart
  /** What became of the words that were looked for: they may share the fate of the part, or have one of their own. */
  readonly fate: Fate
  /** In what of the part it stands. */
  readonly where: 'text' | 'reasoning' | 'arguments' | 'result' | 'data' | 'all of it'
  /** The words around it. */
  readonly excerpt: string
  /** Whether all that was looked for stands in the request here. */
  readonly isShown: boolean
}

/** The place of an entry among those of its origin, counted from 0: it is the same under every strategy. */
export type EntryName =
  | {
      /** Where the entry comes from. */
      readonly origin: Entry['origin']
      /** Its place among the entries of that origin. */
      readonly number: number
    }
  | {
      /** The id of the item that the entry is. */
      readonly item: string
    }

/** A change of what a strategy shows. */
export type ContextChange =
  | {
      /** What is kept: entries, results of a tool, or so many tokens or turns more. */
      readonly kind: 'pin'
      /** The entries to keep, with the calls and results that belong to them. */
      readonly entries: readonly EntryName[]
    }
  | {
      readonly kind: 'results'
      /** The tool whose results are kept whole. */
      readonly tool: string
    }
  | {
      readonly kind: 'tokens' | 'turns'
      /** How many more tokens, estimated and not calibrated, or turns, are kept. */
      readonly more: number
    }

/** A change that would have kept what was looked for. */
export interface ContextHint {
  /** The change, as data: `keepMore(strategy, change)` makes it. */
  readonly change: ContextChange
  /** How many more tokens the request would have had. */
  readonly tokens: number
  /** The change in words. */
  readonly words: string
  /** What `agent.replay` takes as `with`, where the agent was asked. */
  readonly with?: { readonly context: ContextStrategy }
}

/** What a request held, what it did not hold, and why. */
export interface Explanation {
  /** The thread that was asked about. */
  readonly thread: string
  /** The turn of the request. */
  readonly turn: number
  /** The moment when its context was assembled: `thread@seq`. */
  readonly at: string
  /** The request that was made of the context; absent when none was. */
  readonly request?: {
    /** The moment of its `model.requested` event. */
    readonly at: string
    /** The id of the model. */
    readonly model: string
    /** Which attempt of its turn it was, from 1. */
    readonly attempt: number
    /** Whether the messages have the digest that was recorded with the request. */
    readonly isVerified: boolean
  }
  /** The rebase that decided what is shown of earlier entries. */
  readonly rebase?: {
    /** The moment of the rebase: `thread@seq`. */
    readonly at: string
    /** The turn of the rebase. */
    readonly turn: number
    /** Its cause. */
    readonly reason: string
    /** The tokens that it was made by. */
    readonly budget?: ContextBudget
  }
  /** How many messages the request had. */
  readonly messages: number
  /** The tokens of the request, as strategies count them (estimated, and calibrated by usage): of all parts, and by kind. */
  readonly tokens: { readonly total: number; readonly by: { readonly [K in PartKind]?: number } }
  /** Every part, in the order of the request. */
  readonly parts: readonly ContextPart[]
  /** What was looked for; absent when nothing was. */
  readonly asked?: {
    /** In words. */
    readonly what: string
    /** Whether all of it stands somewhere in the request. */
    readonly isShown: boolean
    /** Where it stands in the thread; of many places, the latest hundred. */
    readonly found: readonly FoundPart[]
    /** How many places there are. */
    readonly count: number
  }
  /** All of this in words. */
  readonly words: string
  /** What would have kept it, the cheapest first; empty when it was there, or when no strategy can show it. */
  readonly hints: readonly ContextHint[]
}
