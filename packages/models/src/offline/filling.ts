/**
 * Finds the arguments of a tool in a clause.
 *
 * OFFLINE-1. A value is a slice of the sentence, or one that the schema itself names. Nothing is invented or computed.
 * OFFLINE-2. Every word is used: as the tool, as an argument, or as a word that carries nothing. A word that is left over is a refusal.
 * OFFLINE-3. What is required and not said is asked for, and nothing is called.
 */
import { stemsOf, type Token } from './tokens.ts'
import type { Clause, Match } from './tool-choice.ts'
import type { Argument, ToolView } from './tool-view.ts'
import { fillers, pointers, prepositions, questionWords, relativeDates } from './words.ts'

interface Filling {
  readonly clause: Clause
  readonly tool: ToolView
  /** The tokens that name the tool. */
  readonly said: ReadonlySet<number>
  readonly used: Set<number>
  readonly input: Map<string, unknown>
}

/** The input of a tool, or the reason why it cannot be called. */
export function fill(clause: Clause, { tool, said }: Match): Readonly<Record<string, unknown>> | string {
  const filling: Filling = { clause, tool, said, used: new Set(said), input: new Map() }
  fillMarked(filling)
  const free = freeArgument(filling)
  // Reserved: a label takes no single word out of the rest of the sentence.
  if (free) filling.input.set(free.name, undefined)
  settle(filling, labelled)
  if (free) fillFree(filling, free)
  else {
    for (const reading of [chosen, introduced]) settle(filling, reading)
    fillRow(filling)
    // The values of the first round may make another value certain.
    for (const reading of [bare, bare, quoted]) settle(filling, reading)
  }
  const names = open(filling).flatMap(({ name, required }) => (required ? [name] : []))
  if (names.length > 0) return `I still need ${names.join(', ')} to call ${tool.name}.`
  const words = leftOver(filling)
  return words === '' ? Object.fromEntries(filling.input) : `For ${tool.name} I do not understand "${words}".`
}

const open = ({ tool, input }: Filling): readonly Argument[] => tool.args.filter(({ name }) => !input.has(name))

function take({ used, input }: Filling, { name }: Argument, { value, from, next }: { value: unknown; from: number; next: number }): void {
  for (let index = from; index < next; index += 1) used.add(index)
  input.set(name, value)
}

/** Fills what is certain: the only value for an argument, which no other argument could take. Required arguments come first. */
function settle(filling: Filling, reading: Reading): void {
  const places = [...filling.clause.tokens.keys()].filter((index) => !filling.used.has(index))
  const found = open(filling).flatMap((arg) =>
    places.flatMap((at) => {
      const value = reading(filling, at, arg)
      return value === undefined ? [] : [{ arg, at, value }]
    }),
  )
  const isCertain = (one: (typeof found)[number]): boolean =>
    found.every((other) => other === one || (other.arg !== one.arg && (other.at !== one.at || (one.arg.required && !other.arg.required))))
  for (const { arg, at, value } of found.filter(isCertain)) take(filling, arg, { value, from: at, next: at + 1 })
}

/** One way in which a sentence gives a value: returns the value for an argument at a token, if it is given there in this way. */
type Reading = (filling: Filling, at: number, arg: Argument) => unknown

/** `room 4`, `room number 4`, `3 days`, `high priority`. */
function labelled({ clause, said }: Filling, at: number, arg: Argument): unknown {
  const ends = [1, 2, 3, 4].map((length) => labelEnd(clause, at - length, arg))
  const isBefore = ends.includes(at) || (isLink(clause.tokens[at - 1]) && ends.includes(at - 1))
  const isAfter = (arg.kind === 'number' || arg.kind === 'choice') && labelEnd(clause, at + 1, arg) !== undefined && !said.has(at + 1)
  return isBefore || isAfter ? valueFrom(clause.tokens[at], arg, true) : undefined
}

/** `to Bob`, `in Paris`, `on 2026-01-31`. A flag is set by its own name only. */
function introduced({ clause: { tokens } }: Filling, at: number, arg: Argument): unknown {
  if (arg.kind === 'flag') return undefined
  const names = prepositions[tokens[at - 1]?.stem ?? '']
  return arg.stems.some((stem) => names?.has(stem)) ? valueFrom(tokens[at], arg, true) : undefined
}

/** A word that is a choice of the schema. */
const chosen: Reading = ({ clause }, at, arg) => (arg.kind === 'choice' ? valueFrom(clause.tokens[at], arg, false) : undefined)

/** A quotation, for what is required. */
const quoted: Reading = ({ clause: { tokens } }, at, arg) =>
  arg.required && tokens[at]?.kind === 'quote' ? valueFrom(tokens[at], arg, false) : undefined

const nameKinds: readonly Argument['kind'][] = ['name', 'short', 'id']

/** A value that nothing introduces. "3 files" counts files, "at 17" is no count, and "from" introduces no recipient. */
function bare({ clause, said }: Filling, at: number, arg: Argument): unknown {
  const { tokens } = clause
  const [token, before = ''] = [tokens[at], tokens[at - 1]?.stem]
  const isName = nameKinds.includes(arg.kind)
  if (token?.kind === 'quote' || (!arg.required && (isName || arg.kind === 'number'))) return undefined
  if (isName && ['from', 'to', 'with', 'for', 'by', 'about'].includes(before)) return undefined
  if (token?.kind === 'number') {
    const next = tokens.findIndex(({ stem }, index) => index > at && !fillers.has(stem))
    if (said.has(next) || ['at', 'on', 'in', 'from'].includes(before)) return undefined
  }
  if (arg.kind === 'flag') return labelEnd(clause, at, arg) === at + 1 ? true : undefined
  return valueFrom(token, arg, before === 'in' || before === 'of')
}

const isLink = (token: Token | undefined): boolean => /^(?:is|of|number|as|#|id)$/i.test(token?.text ?? '')

/** The token after a label of the argument. */
function labelEnd({ tokens }: Clause, from: number, { labels }: Argument): number | undefined {
  // Tokens that are no words have no stem, and end a label.
  const said = (length: number): string =>
    tokens
      .slice(from, from + length)
      .map(({ stem }) => stem.replaceAll('_', '') || ' ')
      .join('')
  const length = from < 0 ? undefined : [1, 2, 3].find((each) => labels.includes(said(each)))
  return length === undefined ? undefined : from + length
}

/** `city: New York, days=3`: after a colon up to the next comma or label, after = one word. */
function fillMarked(filling: Filling): void {
  const { clause, tool, used } = filling
  const { source, tokens } = clause
  const marks = [...tokens.keys()].flatMap((label) =>
    tool.args.flatMap((arg) => {
      const mark = labelEnd(clause, label, arg)
      return mark !== undefined && /^[:=：]$/.test(tokens[mark]?.text ?? '') ? [{ arg, label, mark }] : []
    }),
  )
  for (const { arg, label, mark } of marks) {
    const from = mark + 1
    const isOne = tokens[from]?.kind === 'quote' || tokens[mark]?.text === '='
    const isStop = (token: Token, at: number): boolean =>
      at > from && (isOne || /^[,;，；\n]$/.test(token.text) || marks.some((each) => each.label === at))
    const stop = tokens.findIndex(isStop)
    const next = stop < 0 ? tokens.length : stop
    const value = coerce(isOne ? (tokens[from]?.text ?? '') : source.slice(tokens[from]?.start, tokens[next - 1]?.end), arg)
    if (value !== undefined && !used.has(from) && !filling.input.has(arg.name)) take(filling, arg, { value, from: label, next })
  }
}

/** As many numbers as arguments that need one, in a row: "add 2 and 40". */
function fillRow(filling: Filling): void {
  const { tokens } = filling.clause
  const places = [...tokens.keys()].filter((index) => tokens[index]?.kind === 'number' && !filling.used.has(index))
  const args = open(filling).filter(({ kind, required }) => kind === 'number' && required)
  const isJoined = (place: number, index: number): boolean =>
    index === 0 || (place - (places[index - 1] ?? 0) === 2 && /^(?:and|by|with|to|,|和)$/i.test(tokens[place - 1]?.text ?? ''))
  if (places.length < 2 || places.length !== args.length || !places.every(isJoined)) return
  for (const [index, from] of places.entries()) {
    const arg = args[index]
    if (arg) take(filling, arg, { value: coerce(tokens[from]?.text ?? '', arg), from, next: from + 1 })
  }
}

/** The argument that takes the rest of the sentence: the only one that is required, where nothing stands in quotation marks. */
function freeArgument({ tool, input, clause }: Filling): Argument | undefined {
  const [arg, ...others] = tool.args.filter(({ required }) => required)
  const isFree = arg && others.length === 0 && (arg.kind === 'text' || arg.kind === 'short') && !input.has(arg.name)
  return isFree && clause.tokens.every(({ kind }) => kind !== 'quote') ? arg : undefined
}

/** "Add a todo buy milk": the words that are left, if they stand side by side and could be no other argument. */
function fillFree(filling: Filling, arg: Argument): void {
  const { source, tokens } = filling.clause
  const own = new Set(filling.tool.args.flatMap(({ name, stems }) => (filling.input.get(name) === undefined ? [] : stems)))
  const isEmpty = (token: Token, index: number): boolean =>
    filling.used.has(index) || own.has(token.stem) || isEdge(token) || (fillers.has(token.stem) && /^[a-z]/i.test(token.text))
  const from = tokens.findIndex((token, index) => !isEmpty(token, index))
  const next = tokens.findLastIndex((token, index) => !isEmpty(token, index)) + 1
  const words = tokens.slice(from, next)
  const isDay = ({ kind, stem }: Token): boolean => kind === 'date' || kind === 'time' || relativeDates.has(stem)
  const isDated = words.some(isDay) && open(filling).some(({ kind }) => kind === 'date' || kind === 'time')
  // A text about something would have to be written first, and rules cannot write.
  const isUnwritten = arg.kind === 'text' && tokens[from - 1]?.stem === 'about'
  const isSplit = words.some((_, index) => filling.used.has(from + index))
  const saysNothing = words.every(({ kind, stem }) => kind === 'number' || pointers.has(stem) || fillers.has(stem))
  filling.input.delete(arg.name)
  if (isDated || isUnwritten || isSplit || saysNothing) return
  take(filling, arg, { value: source.slice(words[0]?.start, words.at(-1)?.end), from, next })
}

const isEdge = ({ kind, text }: Token): boolean => kind === 'mark' && /^[#,.:!?，。：！？\n]$/.test(text)

/** The words that nothing has used. */
function leftOver({ clause, tool, used, input }: Filling): string {
  const filled = tool.args.filter(({ name }) => input.has(name))
  const own = new Set([...tool.lead, ...tool.nouns, ...filled.flatMap(({ stems }) => stems)])
  const units = new Set(filled.flatMap(({ kind, description }) => (kind === 'number' ? stemsOf(description) : [])))
  const isCarried = (token: Token, index: number): boolean => {
    const { stem, kind } = token
    if (kind !== 'word') return false
    const isUnit = units.has(stem) && clause.tokens[index - 1]?.kind === 'number'
    if (fillers.has(stem) || own.has(stem) || isUnit || (isLink(token) && used.has(index + 1))) return true
    return tool.looks && (questionWords.has(stem) || (stem === 'all' && input.size === 0))
  }
  const left = clause.tokens.filter((token, index) => !used.has(index) && !isEdge(token) && !isCarried(token, index))
  return left.map(({ text }) => text).join(' ')
}

const flags: Readonly<Record<string, boolean>> = { true: true, yes: true, on: true, 是: true, false: false, no: false, off: false, 否: false }

/** A written value as the argument takes it; undefined when it does not fit. */
function coerce(text: string, { kind, choices }: Argument): unknown {
  if (kind === 'number') return /^-?\d+(?:,\d{3})*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
  if (kind === 'flag') return flags[text.toLowerCase()]
  if (kind === 'choice') return choices.find((choice) => String(choice).toLowerCase() === text.toLowerCase())
  if (kind === 'list') return text.split(/\s*(?:[,，、]|\band\b)\s*/)
  return kind === 'other' || text === '' ? undefined : text
}

/** The value of a token for an argument. After a label or a preposition a plain word can be a name; otherwise it must look like one. */
function valueFrom(token: Token | undefined, arg: Argument, isIntroduced: boolean): unknown {
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
