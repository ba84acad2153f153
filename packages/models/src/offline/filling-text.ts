/** Filling fields that take paths, names and the user's own words. */
import { type Clause, clausesOf, entitiesOf, type Placed } from './clauses.ts'
import {
  asQuestion,
  beginFilling,
  coerce,
  type Filled,
  type Filling,
  fillChoices,
  fillFlags,
  fillNamed,
  fillNumbers,
  fillTyped,
  free,
  give,
  isUsed,
  open,
  type Span,
  textNouns,
  wordsOf,
} from './filling.ts'
import { fillNames, fillRoutes } from './filling-names.ts'
import type { Token } from './language/lexicon.ts'
import type { LanguagePack } from './language/pack.ts'
import type { Slot } from './slots.ts'
import type { ToolCard } from './tool-card.ts'

/** Whether a text looks like the path of a file, of a folder, or like no path. */
export function pathLook(text: string): 'file' | 'folder' | undefined {
  const names = text.match(/\.[A-Za-z][A-Za-z\d]{0,5}(?=\s|$)/g)?.length ?? 0
  if (names > 1 || text.split(/\s+/).length > 4) return undefined
  if (names === 1 && /\.\w+$/.test(text)) return 'file'
  if (/(?:^|\/)(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG)$|(?:^|\/)\.[a-z]\w+$/.test(text)) return 'file'
  return /^[~.]{0,2}\/|\/|^[A-Za-z]:\\|^\\\\/.test(text) && !/\s/.test(text) ? 'folder' : undefined
}

/** Fills a card from a clause. */
export function fill(clause: Clause, card: ToolCard, pack: LanguagePack): Filled {
  const filling = beginFilling(clause, card, pack)
  fillRoutes(filling)
  fillNamed(filling)
  fillTyped(filling)
  fillPaths(filling)
  fillChoices(filling)
  fillNumbers(filling)
  fillFlags(filling)
  fillQuotes(filling)
  fillSaid(filling)
  fillNames(filling)
  fillWords(filling)
  const { values, spread, spans } = filling
  return { values, spread, spans, missing: card.slots.filter(({ name, required }) => required && !(name in values)) }
}

function fillPaths(filling: Filling): void {
  const { clause, card, pack } = filling
  const paths = filling.entities.filter(({ entity, at }) => {
    return !isUsed(filling, at) && (entity.kind === 'path' || (entity.kind === 'quote' && pathLook(entity.value) !== undefined))
  })
  const slots = open(filling, 'path')
  for (const [index, slot] of slots.entries()) {
    const found = paths[index]
    if (found) give(filling, slot, { value: found.entity.value, span: [found.at, found.at + 1] })
  }
  spreadPaths(filling, slots, paths)
  const [slot] = open(filling, 'path')
  if (!slot || !(card.concepts.has('folder') || card.actions.has('list') || card.actions.has('search'))) return
  for (const form of pack.content.folders) {
    const match = form.exec(clause.text)
    if (match?.[1] && !isUsed(filling, match.index + match[0].indexOf(match[1]))) {
      give(filling, slot, { value: match[1], span: [match.index, match.index + match[0].length] })
      return
    }
  }
}

/** Several files for a tool that takes one: one call each. */
function spreadPaths(filling: Filling, [only, ...others]: readonly Slot[], paths: readonly Placed[]): void {
  const { clause, pack } = filling
  const listed = paths.slice(1).every(({ at }, index) => pack.content.nameBreak.test(clause.text.slice((paths[index]?.at ?? 0) + 1, at)))
  if (!only || others.length > 0 || paths.length < 2 || !listed) return
  filling.spread = { slot: only.name, values: paths.map(({ entity }) => entity.value) }
  for (const { at } of paths) filling.spans.push([at, at + 1])
}

/** Quotations and texts after a colon, in the order of the fields that want words. */
function fillQuotes(filling: Filling): void {
  const wanted = [...open(filling, 'prose', 'query', 'texts'), ...open(filling, 'name'), ...open(filling, 'path')].sort(
    (a, b) => Number(b.required) - Number(a.required),
  )
  const quotes = free(filling, 'quote', 'pair')
  for (const [index, { entity, at }] of quotes.entries()) {
    const slot = wanted[index]
    if (slot?.required || (slot && quotes.length === 1 && !filling.card.slots.some(({ required }) => required))) {
      give(filling, slot, { value: entity.value, span: [at, at + 1] })
    }
  }
}

/** "a note that the door is open", "a message saying hello": words that are introduced are meant literally, whatever is done with them. */
function fillSaid(filling: Filling): void {
  const { clause, pack, card } = filling
  const wanted = open(filling, 'prose').filter(({ required }) => required)
  const slot = wanted.length === 1 ? wanted[0] : wanted.find(({ named }) => [...textNouns].some((noun) => named.has(noun)))
  if (!slot || card.actions.has('delegate') || free(filling, 'quote', 'pair').length > 0) return
  for (const form of pack.content.saying) {
    const match = form.exec(clause.text)
    if (!match?.[1] || isUsed(filling, match.index)) continue
    const from = match.index + match[0].length - match[1].length
    if (from < clause.verbEnd) continue
    give(filling, slot, { value: wordsOf(filling, [from, clause.text.length]), span: [match.index, clause.text.length] })
    return
  }
}

const verbatim = /question|prompt|task|query|pattern|instruction|search|keyword/i

/** The user's own words: for one required field, and never for the content of something that is written or sent. */
function fillWords(filling: Filling): void {
  const { card, clause } = filling
  const wanted = open(filling, 'prose', 'query').filter(({ required }) => required)
  const [slot] = wanted
  if (!slot || wanted.length > 1) return
  const handsOn = ['search', 'ask', 'delegate', 'add', 'create', 'remind', 'get', 'translate', 'run'].some((action) => card.actions.has(action))
  if (!handsOn || (!card.actions.has('delegate') && (card.actions.has('write') || card.actions.has('send')))) return
  // What another agent is to do includes the verb, unless the agent was called by its name.
  const isUnnamed = card.actions.has('delegate') && !clause.text.toLowerCase().includes(card.name.toLowerCase())
  const span: Span | undefined = isUnnamed ? [0, clause.text.length] : wordSpan(filling, verbatim.test(slot.name))
  const text = span && wordsOf(filling, span)
  if (span && text) give(filling, slot, { value: slot.name.includes('question') ? asQuestion(text, filling.pack) : text, span })
}

/** After the verb (or the tool's name) up to what is used otherwise; before the verb if nothing follows. */
function wordSpan(filling: Filling, exact: boolean): Span | undefined {
  const { clause, card, pack } = filling
  const name = clause.tokens.find(({ text, kind }) => kind === 'latin' && text.toLowerCase() === card.name.toLowerCase())
  const from = name?.end ?? clause.verbEnd
  const isLoose = (token: Token): boolean => {
    if (isUsed(filling, token.start) || card.topics.has(token.concept)) return true
    if (token.concept === 'list' && token.start > clause.verbEnd) return true
    return exact ? pack.content.connectors.test(token.text) : token.filler
  }
  const isSpent = (token: Token): boolean => {
    const counted = card.slots.some((slot) => slot.name in filling.values && slot.kind === 'number' && slot.named.has(token.concept))
    return isUsed(filling, token.start) || card.topics.has(token.concept) || counted || (token.concept === 'list' && !exact)
  }
  const after = clause.tokens.filter(({ start }) => start >= from)
  const before = clause.tokens.filter(({ end }) => end <= (name?.start ?? clause.verbEnd) && end < from)
  for (const tokens of [after, before]) {
    const first = tokens.find((token) => !isLoose(token))
    const last = lastOf(tokens, { isSpent, exact }) ?? first
    if (first && last && last.end > first.start) return [first.start, last.end]
  }
  return undefined
}

/** The last word that is not spent. A word without meaning goes with what was spent after it; at the very end it belongs to an exact text. */
function lastOf(tokens: readonly Token[], { isSpent, exact }: { isSpent: (token: Token) => boolean; exact: boolean }): Token | undefined {
  let cuts = !exact
  return tokens.findLast((token) => {
    const spent = isSpent(token)
    cuts ||= spent
    return !spent && !(cuts && token.filler)
  })
}

/** Fills what is missing from the user's answer to the question for it. */
export function supply(filled: Filled, answer: string, { card, pack }: { card: ToolCard; pack: LanguagePack }): Filled {
  const values: Record<string, Filled['values'][string]> = { ...filled.values }
  const clause = clausesOf(answer, pack)[0]
  if (clause) {
    const own = fill({ ...clause, verbEnd: 0 }, { ...card, slots: filled.missing }, pack)
    for (const { name, kind } of filled.missing) {
      const value = own.values[name]
      if (value !== undefined && kind !== 'prose') values[name] = value
    }
    const named = beginFilling(clause, { ...card, slots: filled.missing }, pack)
    fillNamed(named)
    Object.assign(values, named.values)
    const quotes = entitiesOf(clause).filter(({ entity }) => entity.kind === 'quote')
    const open = filled.missing.filter(({ name }) => !(name in values))
    for (const [index, slot] of open.entries()) {
      const value = quotes[index] && coerce(slot, quotes[index].entity.value)
      if (value !== undefined && quotes.length >= open.length) values[slot.name] = value
    }
  }
  const [only, ...more] = filled.missing.filter(({ name }) => !(name in values))
  const whole = only && more.length === 0 ? coerce(only, answer.trim()) : undefined
  if (only && whole !== undefined) values[only.name] = whole
  return { ...filled, values, missing: filled.missing.filter(({ name }) => !(name in values)) }
}
