/** Filling fields that take short names: by their place, by what stands beside them, or as the words that no table has. */
import { unmask } from './entities.ts'
import { type Filling, free, fromField, give, isEnd, isUsed, open, type Span, toField } from './filling.ts'
import { conceptsOf, type Token } from './language/lexicon.ts'
import type { Slot } from './slots.ts'

/** Short names: by their place after a preposition, or as the words that no table has. */
export function fillNames(filling: Filling): void {
  const { card, clause } = filling
  fillOwned(filling)
  fillCodes(filling)
  fillBesideNouns(filling)
  const slots = open(filling, 'name').filter((slot) => slot.required && !isEnd(slot, card))
  for (const slot of slots) {
    const names = filling.pack.content.names.length > 0 ? namesByForm(filling) : namesByResidue(filling)
    const [found] = names
    if (!found || !give(filling, slot, { value: found.text, span: found.span })) continue
    if (names.length > 1 && slots.length === 1 && card.slots.every(({ kind }) => kind !== 'prose')) {
      filling.spread = { slot: slot.name, values: names.map(({ text }) => text) }
      for (const { span } of names) filling.spans.push(span)
    }
  }
  fillOptional(filling)
  fillMakers(filling)
  for (const slot of open(filling, 'id').filter(({ required }) => required)) {
    const match = /\b[A-Z\d][A-Z\d-]{2,}\b/.exec(clause.text)
    if (match && !isUsed(filling, match.index)) give(filling, slot, { value: match[0], span: [match.index, match.index + match[0].length] })
  }
}

/** "from Oslo to Rome": where one field is for the beginning and one for the end. */
export function fillRoutes(filling: Filling): void {
  const { clause, pack } = filling
  const slots = open(filling, 'name', 'id')
  const ends = [slots.find(({ name }) => fromField.test(name)), slots.find(({ name }) => toField.test(name))]
  const match = pack.content.routes.map((form) => form.exec(clause.text)).find((found) => found !== null)
  if (!match?.groups || ends.some((slot) => slot === undefined) || isUsed(filling, match.index)) return
  const said = [match.groups['from'] ?? '', match.groups['to'] ?? '']
  for (const [index, slot] of ends.entries()) if (slot) give(filling, slot, { value: unmask(said[index] ?? '', clause.masked), span: [0, 0] })
  // What stands between, such as the amount, is not part of the way.
  for (let at = match.index; at < match.index + match[0].length; at += 1) {
    const character = clause.text.charAt(at)
    if (!/[\uE000-\uF8FF]/.test(character) || said.includes(character)) filling.spans.push([at, at + 1])
  }
}

/** `owner/name` looks like a path; where there is no field for paths it is a name. */
function fillOwned(filling: Filling): void {
  if (filling.card.slots.every(({ kind }) => kind !== 'path')) {
    for (const slot of open(filling, 'name').filter(({ required }) => required)) {
      const [found] = free(filling, 'path')
      if (found) give(filling, slot, { value: found.entity.value, span: [found.at, found.at + 1] })
    }
  }
}

/** "the stations in France": the one field that may have a name gets the name that is left. */
function fillOptional(filling: Filling): void {
  const [slot, ...others] = open(filling, 'name').filter(({ required }) => !required)
  const isMaker = slot !== undefined && makerField.test(slot.name)
  if (!slot || others.length > 0 || isMaker || filling.pack.content.names.length === 0) return
  const [found, ...more] = namesByForm(filling)
  if (found && more.length === 0 && /^[A-Z]/.test(found.text)) give(filling, slot, { value: found.text, span: found.span })
}

const makerField = /^(?:artist|author|creator|composer|singer|director|writer|band)$/i

/** Songs have their artists. */
function fillMakers(filling: Filling): void {
  const { clause, pack } = filling
  const slot = open(filling, 'name').find(({ name }) => makerField.test(name))
  const match = slot && pack.content.makers.exec(clause.text)
  if (slot && match?.[1]) give(filling, slot, { value: match[1], span: [match.index, match.index + match[0].length] })
  const owner = slot && !(slot.name in filling.values) ? ownerOf(filling) : undefined
  if (slot && owner) give(filling, slot, { value: owner.text, span: owner.span })
}

/** Somebody, a particle, and the title of what that one made: the words that no table has just before a quotation. */
function ownerOf(filling: Filling): Named | undefined {
  const { clause } = filling
  const quote = filling.entities.find(({ entity }) => entity.kind === 'quote')
  const at = clause.tokens.findIndex(({ start }) => start === quote?.at)
  const particle = clause.tokens[at - 1]
  const owner = clause.tokens[at - 2]
  if (particle?.text !== '的' || !owner || owner.known || owner.filler || isUsed(filling, owner.start)) return undefined
  return { text: owner.text, span: [owner.start, particle.end] }
}

/** Currencies and the like: USD to EUR. What stands by the amount is what is changed. */
function fillCodes(filling: Filling): void {
  const codes = codesIn(filling)
  const isCoded = ({ description, named }: Slot): boolean => /\bcode\b|\bISO\b|currency|币/i.test(description) || named.has('currency')
  const coded = open(filling, 'name', 'id', 'choice').filter((slot) => isCoded(slot) || isCodeChoice(slot))
  if (coded.length === 0 || codes.length < coded.filter(({ required }) => required).length) return
  for (const [index, slot] of coded.entries()) {
    const found = codes[index]
    if (found) give(filling, slot, { value: found.text, span: found.span })
  }
}

const isCodeChoice = ({ kind, schema }: Slot): boolean =>
  kind === 'choice' && (schema.enum ?? []).every((choice) => typeof choice === 'string' && /^[A-Z]{3}$/.test(choice))

function codesIn(filling: Filling): readonly Named[] {
  const { clause, pack } = filling
  const found: (Named & { readonly byAmount: boolean })[] = []
  for (const [form, code] of pack.content.currencies) {
    for (const { 0: text, index } of clause.text.matchAll(new RegExp(form, `${form.flags}g`))) {
      if (found.some(({ span: [from, to] }) => index < to && from < index + text.length)) continue
      const byAmount = /[\uE000-\uF8FF]\s*$/.test(clause.text.slice(0, index)) || /^[\uE000-\uF8FF]/.test(clause.text.slice(index + text.length))
      found.push({ text: code === '' ? text : code, span: [index, index + text.length], byAmount })
    }
  }
  return found.sort((a, b) => Number(b.byAmount) - Number(a.byAmount) || a.span[0] - b.span[0])
}

/** "the billing package", "branch main": a word that no table has, beside the noun of a field. */
function fillBesideNouns(filling: Filling): void {
  const { clause, card } = filling
  const isName = (token: Token | undefined): token is Token =>
    token !== undefined &&
    token.kind === 'latin' &&
    token.action === undefined &&
    !token.filler &&
    token.start >= clause.verbEnd &&
    !isUsed(filling, token.start) &&
    !card.concepts.has(token.concept)
  for (const slot of open(filling, 'name', 'id')) {
    for (const [index, noun] of clause.tokens.entries()) {
      if (noun.kind === 'entity' || !slot.named.has(noun.concept) || noun.start < clause.verbEnd) continue
      const near = [clause.tokens[index + 1], clause.tokens[index - 1]]
        .filter(isName)
        .find(({ start, end }) => /^\s*$/.test(clause.text.slice(Math.min(end, noun.end), Math.max(start, noun.start))))
      if (near && give(filling, slot, { value: near.text, span: [near.start, near.end] })) break
    }
  }
}

interface Named {
  readonly text: string
  readonly span: Span
}

function namesByForm(filling: Filling): readonly Named[] {
  const { clause, pack } = filling
  for (const form of pack.content.names) {
    const match = form.exec(clause.text)
    if (!match?.[1]) continue
    const start = match.index + match[0].lastIndexOf(match[1])
    const isTopic = conceptsOf(match[1]).every(({ concept, known }) => known && filling.card.concepts.has(concept))
    if (isUsed(filling, start) || isTopic) continue
    const span: Span = [match.index, match.index + match[0].length]
    return match[1].split(pack.content.nameBreak).map((text) => ({ text, span }))
  }
  return []
}

function namesByResidue(filling: Filling): readonly Named[] {
  const { clause, pack } = filling
  const isOpen = ({ kind, known, filler, start, concept }: Token): boolean =>
    kind !== 'entity' && !known && !filler && !isUsed(filling, start) && !filling.card.topics.has(concept)
  const unknown = clause.tokens.filter(isOpen)
  const joined: { text: string; span: Span }[] = []
  for (const { text, start, end } of unknown) {
    const former = joined.at(-1)
    const between = former ? clause.text.slice(former.span[1], start) : undefined
    if (former && between?.trim() === '') Object.assign(former, { text: clause.text.slice(former.span[0], end), span: [former.span[0], end] })
    else joined.push({ text, span: [start, end] })
  }
  const [head, ...others] = joined
  if (!head) return []
  const listed = others.filter(({ span }, index) => pack.content.nameBreak.test(clause.text.slice(joined[index]?.span[1], span[0])))
  return [head, ...listed]
}
