/** Which tokens may be the value of an argument. */
import type { Token } from './tokens.ts'
import type { Argument } from './tool-view.ts'
import { fillers, pointers, questionWords, relativeDates } from './words.ts'

const flags: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, 是: true, false: false, no: false, off: false, 否: false }

/** A written value as the argument takes it; undefined when it does not fit. */
export function coerce(text: string, { kind, choices }: Argument): unknown {
  if (kind === 'number') return /^-?\d+(?:,\d{3})*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
  if (kind === 'flag') return flags[text.toLowerCase()]
  if (kind === 'choice') return choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  if (kind === 'list') return text.split(/\s*(?:[,，、]|\band\b)\s*/)
  return kind === 'other' || text === '' ? undefined : text
}

/** The value of a token for an argument. After a label or a preposition a plain word can be a name; otherwise it must look like one. */
export function valueFrom(token: Token | undefined, arg: Argument, isIntroduced: boolean): unknown {
  return token && isCandidate(token, arg.kind, isIntroduced) ? coerce(token.text, arg) : undefined
}

function isCandidate(token: Token, kind: Argument['kind'], isIntroduced: boolean): boolean {
  if (token.kind === 'quote' || kind === 'choice' || kind === 'number') return true
  if (kind === 'text' || kind === 'list') return false
  if (kind === 'flag') return isIntroduced
  if (kind === 'id') return token.kind === 'number' || isPlain(token, /\d/)
  if (kind === 'name' || kind === 'short')
    return isPlain(token, isIntroduced ? /./ : /^[\p{Lu}\p{Script=Han}]|\d/u) || (isIntroduced && token.kind === 'number')
  return token.kind === kind || (kind === 'path' && isIntroduced && isPlain(token, /./))
}

const empty = [fillers, pointers, questionWords, relativeDates]

/** Whether a word has a meaning of its own, and the form. */
function isPlain({ kind, text, stem }: Token, form: RegExp): boolean {
  const words = [stem, ...text.toLowerCase().split(' ')]
  return kind === 'word' && form.test(text) && !/['’]s$/.test(text) && !words.some((word) => empty.some((set) => set.has(word)))
}
