/** Choosing a tool for a clause. Doubt is an answer: no evidence, no tool; two equals, a question. */
import { type Clause, entitiesOf } from './clauses.ts'
import { type Filled, headNouns, textNouns } from './filling.ts'
import { fill, pathLook } from './filling-text.ts'
import type { Token } from './language/lexicon.ts'
import type { LanguagePack } from './language/pack.ts'
import type { ToolCard } from './tool-card.ts'

/** A tool and what the clause gives it. */
export interface Choice {
  readonly card: ToolCard
  readonly filled: Filled
}

/** What came of choosing. */
export type Chosen =
  | { readonly kind: 'one'; readonly choice: Choice }
  | { readonly kind: 'several'; readonly tools: readonly string[] }
  | { readonly kind: 'none' }

/** Which actions of a tool do what an action of a sentence asks for; itself is always among them. */
const serves: Readonly<Record<string, readonly string[]>> = {
  get: ['read', 'list', 'fetch', 'track', 'count'],
  read: ['get', 'fetch'],
  open: ['read', 'get', 'set'],
  close: ['set'],
  list: ['get'],
  search: ['get'],
  write: ['create'],
  create: ['add', 'write', 'set', 'start'],
  add: ['create'],
  set: ['start', 'update', 'create', 'add', 'tun'],
  fetch: ['get', 'read'],
  remind: ['create', 'add', 'set'],
  start: ['set', 'create', 'run'],
  update: ['set'],
  wish: ['create', 'add', 'set', 'start', 'book', 'buy', 'get', 'list', 'read'],
  convert: ['get'],
  inform: ['send'],
  mark: ['update', 'set'],
  rename: ['update', 'move'],
  note: ['add', 'create', 'write'],
}

/** Actions that so many tools have that they prove nothing. */
const common = new Set('get read list search write create add set send open update delete start run fetch calculate'.split(' '))
/** Topics of tools that search anything. */
const anything = new Set('web file text knowledge code content'.split(' '))
/** Nouns that go with any tool. */
const neutral = new Set('result fact content line name today title date user status question body subject file ship paid pend done'.split(' '))

/** Words that even a tool that changes something may overhear: 20 dollars, the todo list. */
const harmless = new Set(['currency', 'list'])

/** Chooses the tool that a clause asks for. */
export function choose(clause: Clause, cards: readonly ToolCard[], pack: LanguagePack): Chosen {
  const named = cards.filter((card) => isNamed(card, clause))
  const candidates = named.length > 0 ? named : cards.filter((card) => suits(card, clause))
  const rated = candidates
    .map((card) => ({ card, filled: fill(clause, card, pack) }))
    .filter((choice) => !conflictsWith(choice, clause, pack) && (named.length > 0 || hasEvidence(choice, clause)))
    .map((choice) => ({ ...choice, score: scoreOf(choice, clause) }))
    .sort((a, b) => b.score - a.score)
  const [best, second] = rated
  if (!best) return { kind: 'none' }
  if (second && second.score === best.score)
    return { kind: 'several', tools: rated.filter(({ score }) => score === best.score).map(({ card }) => card.name) }
  return { kind: 'one', choice: best }
}

/** "use read_file", "ask the researcher": the user says which. */
function isNamed({ name, actions }: ToolCard, { text, action }: Clause): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&')
  if (!new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'i').test(text)) return false
  return name.includes('_') || action === 'run' || actions.has('delegate')
}

function suits({ actions, slots }: ToolCard, { action }: Clause): boolean {
  if (actions.has(action)) return true
  if (action === 'get' && actions.size === 0) return true
  const served = (serves[action] ?? []).some((other) => actions.has(other))
  const switches = action === 'open' || action === 'close'
  return served && !(switches && actions.has('set') && slots.every(({ kind }) => kind !== 'boolean'))
}

/** What an action is about without a word for it: whoever tells somebody something sends a message. */
const impliedBy: Readonly<Record<string, string>> = { inform: 'message', note: 'note' }

/** What the words and the entities of a clause are about. */
function aboutOf(clause: Clause): ReadonlySet<string> {
  const about = new Set<string>()
  for (const { concept, kind, filler, known, start } of clause.tokens) {
    if (kind !== 'entity' && (known || !filler) && !(start === 0 && start < clause.verbEnd && clause.action === concept)) about.add(concept)
  }
  for (const { entity } of entitiesOf(clause)) {
    if (entity.kind === 'path' || entity.kind === 'quote') about.add(pathLook(entity.value) ?? '')
    if (entity.kind === 'url') for (const topic of ['url', 'http', 'web', 'page']) about.add(topic)
    if (entity.kind === 'email') about.add('email')
    if (entity.kind === 'glob') about.add('file')
    if (entity.kind === 'expression') about.add('calculate')
  }
  const implied = impliedBy[clause.action]
  if (implied !== undefined) about.add(implied)
  if (/[\uE000-\uF8FF]\s*[A-Z]{3}\b/.test(clause.text)) about.add('currency')
  return about
}

/** Whether the clause really is about what the tool is about, and about nothing else that is known. */
function hasEvidence({ card, filled }: Choice, clause: Clause): boolean {
  const about = aboutOf(clause)
  const matched = [...card.topics].filter((topic) => about.has(topic))
  if (matched.length > 0) return true
  if (card.head !== undefined && about.has(card.head) && (card.looks || filled.missing.length === 0)) return true
  const specific = card.actions.has(clause.action) && !common.has(clause.action)
  if (card.actions.has('ask') && clause.action === 'ask') return true
  if (specific && (card.topics.size === 0 || (filled.missing.length === 0 && (!card.looks || hasNoObject(clause, filled))))) return true
  if (clause.action === 'search' && card.actions.has('search') && [...card.topics].every((topic) => anything.has(topic)))
    return filled.missing.length === 0
  if (card.topics.size > 0) return false
  if (card.actions.has(clause.action) && hasNoObject(clause, filled)) return true
  return [...about].some((concept) => concept !== '' && card.concepts.has(concept))
}

/** "Play 'Yesterday'": nothing follows the verb that would say it is about something else. */
function hasNoObject({ tokens, verbEnd }: Clause, { spans }: Filled): boolean {
  return tokens.every(({ start, kind, filler, known }) => {
    return start < verbEnd || kind === 'entity' || (filler && !known) || spans.some(([from, to]) => from <= start && start < to)
  })
}

/** Words that the tool has no place for: it would do something else than was asked. */
function conflictsWith({ card, filled: { spans } }: Choice, clause: Clause, pack: LanguagePack): boolean {
  const isUsed = (at: number): boolean => spans.some(([from, to]) => from <= at && at < to)
  const { reservations, beyond } = pack.clause
  if ((card.actions.has('read') || card.actions.has('list')) && beyond.test(clause.text)) return true
  if ([...clause.text.matchAll(new RegExp(reservations, `${reservations.flags}g`))].some(({ index }) => !isUsed(index))) return true
  const isVerb = ({ action, start, end }: Token): boolean =>
    pack.code === 'en' ? start < clause.verbEnd : end <= clause.verbEnd && action !== undefined
  const left = clause.tokens.filter((token) => !isVerb(token) && !isUsed(token.start) && token.text.toLowerCase() !== card.name.toLowerCase())
  if (left.some(({ kind }) => kind === 'entity')) return true
  const takesText = card.slots.some(({ kind }) => kind === 'prose')
  const isOwn = (concept: string): boolean =>
    card.concepts.has(concept) ||
    card.actions.has(concept) ||
    card.spoken.has(concept) ||
    (takesText && (textNouns.has(concept) || headNouns.has(concept)))
  const foreign = left.filter(({ concept, filler, known }) => (known || !filler) && !isOwn(concept))
  const isStranger = ({ known, action, concept, filler }: Token): boolean =>
    card.looks ? known && action === undefined && !neutral.has(concept) : !filler && !harmless.has(concept)
  if (foreign.some(isStranger)) return true
  // "List the stations in France": a name that has no place would be lost, and the answer would be another one.
  if (pack.code === 'en' && foreign.some(({ text, start, known }) => start > 0 && !known && /^[A-Z][a-z]/.test(text))) return true
  return foreign.filter(({ kind, known }) => kind === 'han' && !known).reduce((sum, { text }) => sum + text.length, 0) >= 2
}

function scoreOf({ card, filled }: Choice, clause: Clause): number {
  const about = aboutOf(clause)
  const topics = [...card.topics].filter((topic) => about.has(topic)).length
  const others = [...card.concepts].filter((concept) => about.has(concept) && !card.topics.has(concept)).length
  const required = card.slots.filter(({ required }) => required).length
  return (
    topics * 3 +
    (card.head !== undefined && !card.topics.has(card.head) && about.has(card.head) ? 1 : 0) +
    Math.min(others, 3) +
    (card.actions.has(clause.action) ? 3 : 0) +
    (required - filled.missing.length) -
    filled.missing.length * 3
  )
}
