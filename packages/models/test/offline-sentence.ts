/** What an entry of a list of sentences is, and short ways to write one. */
import type { ToolboxName } from './offline-toolboxes.ts'

/** An argument that cannot be foretold to the letter: the texts it must hold. */
export interface Holding {
  readonly $holding: readonly string[]
}

/** A call that is expected, and what the tool answers. */
export interface ExpectedCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, string | number | boolean | Holding>>
  readonly result: string
}

/** What is right: calls in order, a question for missing fields, an answer that holds a text, or an honest refusal. */
export type Expected =
  | { readonly kind: 'calls'; readonly calls: readonly ExpectedCall[] }
  | { readonly kind: 'asks'; readonly fields: readonly string[] }
  | { readonly kind: 'says'; readonly text: string }
  | { readonly kind: 'cannot' }

/** One sentence of the list. */
export interface OfflineSentence {
  readonly language: 'en' | 'zh'
  readonly tools: ToolboxName
  readonly sentence: string
  readonly expected: Expected
}

/** An argument by what it must hold. */
export const holding = (...texts: string[]): Holding => ({ $holding: texts })
/** A call that is right. */
export const call = (tool: string, input: ExpectedCall['arguments'], result = 'ok'): ExpectedCall => ({ tool, arguments: input, result })
/** Calls that are right, in order. */
export const calls = (...expected: ExpectedCall[]): Expected => ({ kind: 'calls', calls: expected })
/** A question for these fields is right. */
export const asks = (...fields: string[]): Expected => ({ kind: 'asks', fields })
/** An answer with this text is right. */
export const says = (text: string): Expected => ({ kind: 'says', text })
/** An honest refusal is right. */
export const cannot: Expected = { kind: 'cannot' }
/** An English sentence. */
export const en = (tools: ToolboxName, sentence: string, expected: Expected): OfflineSentence => ({ language: 'en', tools, sentence, expected })
/** A Chinese sentence. */
export const zh = (tools: ToolboxName, sentence: string, expected: Expected): OfflineSentence => ({ language: 'zh', tools, sentence, expected })
