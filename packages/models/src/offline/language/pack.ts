/** What a language brings to the offline model: words, forms of sentences, and its own sentences. Rules are data here; no pack decides anything. */

/** Any entity (a path, a number, a quotation) in a masked text: each is one private character. */
export const entityMark = '[\\uE000-\\uF8FF]'

/** Words by what they mean: the key is the concept, which is an English word so that any tool's name can be one. */
export type WordTable = Readonly<Record<string, readonly string[]>>

/** The forms that a clause may have. The first that fits is believed. */
export interface ClauseForms {
  /** Words before the request itself; taken away again and again. */
  readonly polite: RegExp
  readonly negated: RegExp
  /** Somebody does not want to go on. */
  readonly declined: RegExp
  /** Politeness after the request. */
  readonly tail: RegExp
  /** A piece that only says how much of the request before it is wanted. */
  readonly limit: RegExp
  /** A piece that waits for what follows it: where something is, or a file without its text. */
  readonly waiting: RegExp
  /** What neither reading nor listing answers: how many, how big, by whom. */
  readonly beyond: RegExp
  /** "I would like a": what follows is wanted, and has no verb. */
  readonly wish: RegExp
  /** Somebody wants to know how something is done, not have it done. */
  readonly howTo: RegExp
  /** Somebody tells what was. */
  readonly statement: RegExp
  /** Somebody wants to see what the step before has found: it is shown anyway. */
  readonly showAgain: RegExp
  /** Conditions, exceptions, doubts: words that change an order into another one. Where a tool has no place for them, it is not called. */
  readonly reservations: RegExp
  readonly identity: RegExp
  readonly greeting: RegExp
  /** Whether a clause asks. */
  readonly question: RegExp
  /** Forms whose action is not their first verb. */
  readonly actions: readonly (readonly [form: RegExp, action: string])[]
}

/** An errand that a newcomer asks for, and that many tools can run. */
export type Errand = 'read' | 'list' | 'search-files' | 'search-web' | 'list-todos' | 'add-todo' | 'ask' | 'delegate'

/** Forms that hold what a step needs; an entity is one character in them, see `entityMark`. */
export interface ContentForms {
  /** Whole clauses that ask for an errand; the groups hold what it needs, and a group that is not there is asked for. */
  readonly errands: readonly (readonly [form: RegExp, errand: Errand])[]
  /** "write <what> to <where>": both are groups. */
  readonly transfer: readonly RegExp[]
  /** What stands before or after the name of a file whose text is meant. */
  readonly contentsOf: RegExp
  readonly summary: RegExp
  readonly listing: RegExp
  /** What the step before has found. */
  readonly former: RegExp
  /** A task that cannot be understood without it. */
  readonly speaksOfFormer: RegExp
  /** Names of folders that do not look like paths; group 1. */
  readonly folders: readonly RegExp[]
  /** Names such as cities and people; group 1, several when they are broken by `nameBreak`. Without forms: the words that no table has. */
  readonly names: readonly RegExp[]
  readonly nameBreak: RegExp
  /** Who made something; group 1. */
  readonly makers: RegExp
  /** What introduces the words that somebody else is to be told, or that are to be noted; group 1 is the words. */
  readonly saying: readonly RegExp[]
  /** Currencies by their words. */
  readonly currencies: readonly (readonly [form: RegExp, code: string])[]
  /** Words that say how a text is handed on; without them it is the same text. */
  readonly adverbs: RegExp
  /** Calculations that go on from the result before; group 1 is the number. */
  readonly onward: readonly (readonly [form: RegExp, operator: string])[]
  /** Ways and transfers: `from` and `to` are groups. */
  readonly routes: readonly RegExp[]
  /** Words between a verb and the text that it hands on. */
  readonly connectors: RegExp
  readonly allOf: RegExp
  readonly on: RegExp
  readonly off: RegExp
  /** "the first 20": the number that says how many. */
  readonly firstOf: RegExp
  /** What stands around a calculation without being part of it. */
  readonly aroundSums: RegExp
  /** Calculations in words; the replacement is arithmetic. */
  readonly sums: readonly (readonly [form: RegExp, arithmetic: string])[]
}

/** The model's own sentences. */
export interface Replies {
  readonly label: string
  hello(): string
  greeting(): string
  cannot(raw: string): string
  negated(raw: string): string
  unsure(tools: readonly string[]): string
  notAll(raw: string): string
  leftAlone(raw: string): string
  tooLong(characters: number): string
  abilities(tools: readonly { readonly name: string; readonly needs: readonly string[] }[]): string
  need(tool: string, fields: readonly string[]): string
  /** How a question for missing fields begins; the next message answers it. */
  readonly needMark: string
  noWords(): string
  result(tool: string, text: string): string
  empty(tool: string): string
  wrote(path: string): string
  summary(path: string, text: string): string
  failed(tool: string, reason: string): string
  denied(tool: string, reason: string): string
  repaired(tool: string): string
  left(tools: readonly string[]): string
  incomplete(tool: string): string
  cut(characters: number): string
  sum(expression: string, value: string): string
}

/** A language. */
export interface LanguagePack {
  readonly code: 'en' | 'zh'
  readonly actions: WordTable
  readonly nouns: WordTable
  /** Words that carry no meaning of their own. */
  readonly fillers: readonly string[]
  /** Words that carry no meaning only in their place; anywhere else they are part of a name. */
  readonly boundFillers: {
    readonly afterWord: readonly string[]
    readonly afterKnown: readonly string[]
    readonly afterEntity: readonly string[]
    readonly beforeEntity: readonly string[]
  }
  /** Words whose parts are words of the tables, and mean something else. */
  readonly wholes: readonly string[]
  /** Where one clause may end and the next begin. */
  readonly split: RegExp
  readonly clause: ClauseForms
  readonly content: ContentForms
  readonly replies: Replies
}
