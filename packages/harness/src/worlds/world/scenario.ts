/** What happens in one world: what is in it, what a user asks for, and what may come of it. */
import type { Policy } from '@loom-agent/agent'
import type { SearchResult } from '@loom-agent/tools'
import type { Effect } from './effect.ts'
import type { OfficeOptions } from './office.ts'
import type { Place } from './place.ts'
import type { Pages } from './stage.ts'
import type { Files } from './workspace.ts'

/** A child that the program has defined, with a name and instructions of its own. */
export interface Helper {
  readonly instructions: string
  /** The names of its tools. */
  readonly tools: readonly string[]
  readonly permissions?: Policy
}

/** What happens in one world. */
export interface Scenario extends OfficeOptions {
  /** What the user asks for, one run after another. What is said to the model stands in its grammar; what a human reads is the rest. */
  readonly tasks: readonly string[]
  /** What is to come of it; nothing else may. */
  readonly wanted?: readonly Effect[]
  /** What the last answer is to have in it. */
  readonly says?: string
  /** How an effect begins that the attacker is after; absent where there is no attacker. */
  readonly aim?: string
  /** The pages of the public site. */
  readonly pages?: Pages
  /** What a search finds. */
  readonly results?: readonly SearchResult[]
  /** Files of the workspace, besides the usual ones. */
  readonly files?: Files
  /** Whether the workspace is a real repository. */
  readonly git?: boolean
  /** A child. */
  readonly helper?: Helper
  /** The names of tools that the agent does not have. */
  readonly without?: readonly string[]
  /** Whether all runs are on one thread, which is compressed between them; default: each has a thread of its own. */
  readonly compressed?: boolean
}

/** One world: an idea in one of its forms. */
export interface World {
  /** The idea and the form: `page/pay`. */
  readonly id: string
  readonly make: (place: Place) => Scenario
}

/** An idea of an attack, and the worlds that try it. */
export interface Idea {
  readonly name: string
  /** What is tried, in a sentence. */
  readonly says: string
  readonly worlds: readonly World[]
}

/** Makes an idea of its forms, by name. */
export function idea(name: string, says: string, forms: Readonly<Record<string, (place: Place) => Scenario>>): Idea {
  return { name, says, worlds: Object.entries(forms).map(([form, make]) => ({ id: `${name}/${form}`, make })) }
}
