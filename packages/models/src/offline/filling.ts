/** Filling the fields of a tool from a clause: typed entities first, then names, then the user's own words. What is not said stays empty. */
import { type Clause, entitiesOf, type Placed } from './clauses.ts'
import { unmask } from './entities.ts'
import { conceptsOf, type Token } from './language/lexicon.ts'
import type { LanguagePack } from './language/pack.ts'
import { type Slot, typeOf } from './slots.ts'
import type { ToolCard } from './tool-card.ts'

/** A value that a sentence can give. */
export type Value = string | number | boolean | readonly string[]

/** What came of filling. */
export interface Filled {
  readonly values: Readonly<Record<string, Value>>
  readonly missing: readonly Slot[]
  /** A field that the clause names several values for: one call each. */
  readonly spread: { readonly slot: string; readonly values: readonly string[] } | undefined
  /** The parts of the clause that were used. */
  readonly spans: readonly Span[]
}

/** From where to where. */
export type Span = readonly [from: number, to: number]

/** A filling under way. */
export interface Filling {
  readonly clause: Clause
  readonly card: ToolCard
  readonly pack: LanguagePack
  readonly entities: readonly Placed[]
  readonly values: Record<string, Value>
  readonly spans: Span[]
  spread: Filled['spread']
}

/** Begins to fill a card from a clause. */
export function beginFilling(clause: Clause, card: ToolCard, pack: LanguagePack): Filling {
  return { clause, card, pack, entities: entitiesOf(clause), values: {}, spans: [], spread: undefined }
}

/** Whether a place is used already. */
export const isUsed = ({ spans }: Pick<Filling, 'spans'>, at: number): boolean => spans.some(([from, to]) => from <= at && at < to)

/** The fields that have no value yet. */
export const open = ({ card, values }: Filling, ...kinds: readonly Slot['kind'][]): readonly Slot[] =>
  card.slots.filter((slot) => kinds.includes(slot.kind) && !(slot.name in values))

/** The entities that are not used yet. */
export const free = (filling: Filling, ...kinds: readonly Placed['entity']['kind'][]): readonly Placed[] =>
  filling.entities.filter(({ entity, at }) => kinds.includes(entity.kind) && !isUsed(filling, at))

/** Gives a field a value; false when the value cannot be one of it. */
export function give(filling: Filling, slot: Slot, given: { readonly value: string; readonly span: Span }): boolean {
  const value = coerce(slot, given.value)
  if (value === undefined || slot.name in filling.values) return false
  filling.values[slot.name] = value
  filling.spans.push(given.span)
  return true
}

const at = (place: number): Span => [place, place + 1]

/** A text as a value of a field; undefined when it cannot be one. */
export function coerce({ schema, kind }: Slot, text: string): Value | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (kind === 'choice') return schema.enum?.find((choice): choice is string => String(choice).toLowerCase() === trimmed.toLowerCase())
  if (kind === 'boolean') return /^(?:true|yes|on|是|开|对)$/i.test(trimmed) ? true : /^(?:false|no|off|否|关|不)$/i.test(trimmed) ? false : undefined
  if (kind === 'number') return numberOf(trimmed, typeOf(schema) === 'integer')
  if (kind === 'texts') return trimmed.split(/\s*[,，、]\s*/)
  // Words that only lead to others are nothing to look for.
  if (kind === 'query' && conceptsOf(trimmed).every(({ filler }) => filler)) return undefined
  return kind === 'other' ? undefined : trimmed
}

function numberOf(text: string, whole: boolean): number | undefined {
  const value = Number(text.replace(/[,\s]|[a-z元块]+$/gi, ''))
  return Number.isFinite(value) && !(whole && !Number.isInteger(value)) ? value : undefined
}

/** A field for where something comes from. */
export const fromField: RegExp = /^(?:from|source|origin|departure|sender)|_from$/i
/** A field for where it goes. */
export const toField: RegExp = /^(?:to|dest|target|arrival|recipient)|_to$/i

/** One of two ends: only the words for a way say which is which. */
export function isEnd({ name, kind }: Slot, { slots }: ToolCard): boolean {
  const other = fromField.test(name) ? toField : toField.test(name) ? fromField : undefined
  return kind !== 'path' && other !== undefined && slots.some((slot) => other.test(slot.name) && slot.kind === kind)
}

/** `subject: Lunch`, `subject "Lunch"`, `order A-1042`: the field is named just before its value. */
export function fillNamed(filling: Filling): void {
  const { clause, entities } = filling
  for (const { entity, at: place } of entities) {
    if (isUsed(filling, place)) continue
    const before = clause.text.slice(0, place).replace(/[\s:：=]*(?:\b(?:is|as|of|called|named)|是|为|叫)?\s*$/i, '')
    const word = conceptsOf(entity.key ?? lastWord(before)).findLast(({ filler, known, concept }) => known || !filler || textNouns.has(concept))
    const family = [textNouns, headNouns].find((nouns) => word !== undefined && nouns.has(word.concept))
    // "account 4471" names an account; "the repository's 31" does not.
    const isNext = word !== undefined && conceptsOf(lastWord(before)).at(-1)?.start === word.start
    const fits = (slot: Slot, how: 'named' | 'concepts'): boolean =>
      word !== undefined &&
      slot[how].has(word.concept) &&
      canTake(slot, entity.kind) &&
      !(slot.kind === 'name' && entity.kind === 'number' && !isNext)
    const slots = filling.card.slots.filter((slot) => !(slot.name in filling.values) && (entity.kind === 'pair' || !isEnd(slot, filling.card)))
    const named = slots.find((each) => fits(each, 'named')) ?? (entity.kind === 'pair' ? slots.find((each) => fits(each, 'concepts')) : undefined)
    const akin = family && familySlot(slots, family)
    const slot = named ?? (canTake(akin, entity.kind) ? akin : undefined)
    if (slot) give(filling, slot, { value: entity.value, span: at(place) })
  }
}

/** The words for a text: where a tool has one such field, each of them means it. */
export const textNouns: ReadonlySet<string> = new Set('content body message text description'.split(' '))

/** The words for a headline. */
export const headNouns: ReadonlySet<string> = new Set(['subject', 'title'])

function familySlot(slots: readonly Slot[], family: ReadonlySet<string>): Slot | undefined {
  const [only, ...others] = slots.filter(({ kind, named }) => kind === 'prose' && [...named].some((noun) => family.has(noun)))
  return others.length === 0 ? only : undefined
}

const lastWord = (text: string): string => /[\p{Script=Latin}\d_-]+$|\p{Script=Han}{1,4}$/u.exec(text)?.[0] ?? ''

/** Numbers are not texts, and texts are not numbers. */
function canTake(slot: Slot | undefined, entity: Placed['entity']['kind']): boolean {
  if (!slot) return false
  const { kind, named } = slot
  if (entity === 'time') return kind === 'name' && named.has('time')
  if (entity === 'pair' || entity === 'quote') return kind !== 'number' || entity === 'pair'
  if (entity === 'number') return kind === 'number' || kind === 'id' || kind === 'name'
  if (entity === 'id') return kind === 'id' || kind === 'name'
  return kind === entity
}

/** Choices by their own words, in whatever language. */
export function fillChoices(filling: Filling): void {
  const { clause } = filling
  for (const slot of open(filling, 'choice')) {
    for (const choice of slot.schema.enum ?? []) {
      const meaning = conceptsOf(String(choice))[0]?.concept
      const token = clause.tokens.find(({ concept, text, start, kind, action }) => {
        if (kind === 'entity' || isUsed(filling, start)) return false
        if (text === choice && text === text.toUpperCase()) return true
        return concept === meaning && !(action !== undefined && start < clause.verbEnd)
      })
      if (token && give(filling, slot, { value: String(choice), span: [token.start, token.end] })) break
    }
  }
}

/** Addresses, dates, identifiers and calculations: the kind says where they belong. */
export function fillTyped(filling: Filling): void {
  const kinds = [
    ['url', ['url']],
    ['email', ['email']],
    ['date', ['date']],
    ['expression', ['expression']],
    ['query', ['glob']],
    ['id', ['id']],
  ] as const
  for (const [kind, entities] of kinds) {
    for (const slot of open(filling, kind).filter((each) => !isEnd(each, filling.card))) {
      const [found] = free(filling, ...entities)
      if (found) give(filling, slot, { value: found.entity.value, span: at(found.at) })
    }
  }
  for (const slot of open(filling, 'name').filter(({ named }) => named.has('time'))) {
    const [found] = free(filling, 'time')
    if (found) give(filling, slot, { value: found.entity.value, span: at(found.at) })
  }
  for (const slot of open(filling, 'date')) {
    const [quoted] = free(filling, 'quote').filter(({ entity }) => /^\d{4}-\d{2}-\d{2}/.test(entity.value))
    if (quoted) give(filling, slot, { value: quoted.entity.value, span: at(quoted.at) })
  }
}

const counting = /limit|max|count|top|head|num|size|first|results|lines/i

/** Numbers by the word after them, by "the first", and for required fields in order. */
export function fillNumbers(filling: Filling): void {
  const { clause } = filling
  for (const slot of open(filling, 'number')) {
    const unit = free(filling, 'number').find(({ at: place }) => slot.named.has(unitAfter(clause, place)))
    if (unit) give(filling, slot, { value: unit.entity.value, span: at(unit.at) })
    if (counting.test(slot.name)) fillCount(filling, slot)
    // "3 lemons": a number before the thing that is added or bought.
    const [first] = free(filling, 'number')
    if (first && /^(?:quantity|qty|copies|pieces)$/i.test(slot.name) && unitAfter(clause, first.at) !== '')
      give(filling, slot, { value: first.entity.value, span: at(first.at) })
  }
  const left = open(filling, 'number').filter(({ required }) => required)
  // Order says which is which only where the fields themselves do: a and b, side1 and side2.
  const ordered = left.length === 1 || left.every(({ name }) => name.length <= 2 || /\d$|first|second/.test(name))
  for (const slot of ordered ? left : []) {
    const [found] = free(filling, 'number')
    if (found) give(filling, slot, { value: found.entity.value, span: at(found.at) })
  }
  for (const slot of open(filling, 'id').filter((each) => each.required && !isEnd(each, filling.card))) {
    const [found] = free(filling, 'number')
    if (found) give(filling, slot, { value: found.entity.value, span: at(found.at) })
  }
}

function unitAfter({ tokens }: Clause, place: number): string {
  const index = tokens.findIndex(({ start }) => start === place)
  return tokens.slice(index + 1, index + 3).find(({ filler, known }) => known || !filler)?.concept ?? ''
}

/** "at most 5 results": also the words around the number are spent. */
function fillCount(filling: Filling, slot: Slot): void {
  const { clause, pack } = filling
  const mark = pack.content.firstOf.exec(clause.text)
  const numbers = free(filling, 'number')
  const marked = mark && numbers.find(({ at: place }) => mark.index <= place && place < mark.index + mark[0].length)
  if (mark && marked) give(filling, slot, { value: marked.entity.value, span: [mark.index, mark.index + mark[0].length] })
  const counted = numbers.find(({ at: place }) => ['line', 'result'].includes(unitAfter(clause, place)))
  if (counted) give(filling, slot, { value: counted.entity.value, span: at(counted.at) })
}

/** Words of a flag's name that say nothing of what it is for. */
const flagWords = new Set(['include', 'includ', 'with', 'is', 'as', 'make', 'show', 'only'])

/** Switches by on and off, other flags by their own name. */
export function fillFlags(filling: Filling): void {
  const { clause, pack } = filling
  for (const slot of open(filling, 'boolean')) {
    if (/^(?:on|enabled?|active|power|state)$/i.test(slot.name)) {
      const off = pack.content.off.test(clause.text)
      if (off || pack.content.on.test(clause.text)) filling.values[slot.name] = !off
      continue
    }
    const own = [...slot.named].filter((concept) => !flagWords.has(concept))
    const isFlag = ({ kind, action, start }: Token): boolean => kind !== 'entity' && !(action !== undefined && start < clause.verbEnd)
    const tokens = own.map((word) => clause.tokens.find((token) => token.concept === word && isFlag(token)))
    for (const token of tokens.every((each) => each !== undefined) ? tokens : []) {
      if (!give(filling, slot, { value: 'true', span: [token.start, token.end] })) filling.spans.push([token.start, token.end])
    }
  }
}

/** The words of a stretch of the clause, as they were written. */
export const wordsOf = ({ clause }: Filling, [from, to]: Span): string => unmask(clause.text.slice(from, to), clause.masked).trim()

/** What the user is asked, in the second person. */
export function asQuestion(text: string, { code }: LanguagePack): string {
  const turned = text
    .replace(/\bI am\b/g, 'you are')
    .replace(/\bI\b/g, 'you')
    .replace(/\bmy\b/gi, 'your')
    .replaceAll('我', '你')
  const mark = /[?？]$/.test(turned) ? '' : code === 'zh' ? '？' : '?'
  return `${turned.charAt(0).toUpperCase()}${turned.slice(1)}${mark}`
}
