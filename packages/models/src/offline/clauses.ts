/** From a text to its clauses: one request each, with what kind of sentence it is and what is to be done. */
import { type Entity, entityAt, type Masked, mask, unmask } from './entities.ts'
import { type Token, tokensOf } from './language/lexicon.ts'
import type { LanguagePack } from './language/pack.ts'

/** What kind of sentence a clause is. */
export type ClauseKind = 'request' | 'negated' | 'how-to' | 'statement' | 'show-again' | 'identity' | 'greeting'

/** One clause. */
export interface Clause {
  readonly kind: ClauseKind
  /** Masked, without the words of politeness before it. */
  readonly text: string
  readonly raw: string
  readonly masked: Masked
  readonly tokens: readonly Token[]
  /** What is to be done: an action of the tables, a verb that no table has, or `get` for a question. */
  readonly action: string
  /** Where the verb ends. */
  readonly verbEnd: number
  readonly question: boolean
}

/** An entity and where it stands in its clause. */
export interface Placed {
  readonly entity: Entity
  readonly at: number
}

/** The entities of a clause, in order. */
export function entitiesOf({ text, masked }: Pick<Clause, 'text' | 'masked'>): readonly Placed[] {
  return [...text.matchAll(/[\uE000-\uF8FF]/g)].flatMap(({ 0: character, index: at }) => {
    const entity = entityAt(masked, character)
    return entity ? [{ entity, at }] : []
  })
}

/** Cuts a text into clauses. */
export function clausesOf(text: string, pack: LanguagePack): readonly Clause[] {
  const found = mask(text.trim(), pack)
  // A run of spaces says no more than one, and would be tried at each of its places.
  const masked = { ...found, text: found.text.replace(/[ \t\u3000]{2,}/g, ' ') }
  return joined(masked.text, pack)
    .map((piece) => clauseOf(piece, masked, pack))
    .filter((clause) => clause.text !== '')
}

/** A piece that does not ask for anything by itself belongs to the piece before it. */
function joined(text: string, pack: LanguagePack): readonly string[] {
  const pieces: { text: string; start: number; end: number }[] = []
  let from = 0
  const separators = [...text.matchAll(new RegExp(pack.split, `${pack.split.flags}g`)), undefined]
  for (const separator of separators) {
    const end = separator?.index ?? text.length
    const piece = text.slice(from, end)
    const former = pieces.at(-1)
    // "On 5 May there is a review, put it into the calendar": what asks for nothing yet belongs to what follows.
    const waits = former !== undefined && (pack.clause.waiting.test(former.text.trim()) || (pack.code === 'zh' && !asks(former.text, pack)))
    if (former && (piece.trim() === '' || waits || !beginsClause(piece, pack))) Object.assign(former, { end, text: text.slice(former.start, end) })
    else if (piece.trim() !== '') pieces.push({ text: piece, start: from, end })
    from = end + (separator?.[0].length ?? 0)
  }
  return pieces.map(({ start, end }) => text.slice(start, end))
}

/** Whether a piece is whole by itself: a request, a question, a greeting, a refusal. */
const asks = (piece: string, pack: LanguagePack): boolean =>
  beginsClause(piece, pack) || pack.clause.question.test(piece) || pack.clause.statement.test(piece) || pack.clause.howTo.test(piece)

function beginsClause(piece: string, pack: LanguagePack): boolean {
  const text = withoutPoliteness(piece, pack)
  const { identity, greeting, negated, actions, limit } = pack.clause
  if (limit.test(text)) return false
  if (identity.test(text) || greeting.test(text) || negated.test(text)) return true
  const tokens = tokensOf(text)
  if (pack.code === 'en') return (tokens[0]?.action !== undefined && tokens.length > 1) || actions.some(([form]) => form.test(text))
  return tokens.some(({ action, kind }) => action !== undefined && kind === 'han') || actions.some(([form]) => form.test(text))
}

function withoutPoliteness(text: string, pack: LanguagePack): string {
  let rest = text.trim()
  for (let shorter = rest.replace(pack.clause.polite, ''); shorter !== rest && shorter !== ''; shorter = rest.replace(pack.clause.polite, '')) {
    rest = shorter.trim()
  }
  return rest
}

function clauseOf(piece: string, masked: Masked, pack: LanguagePack): Clause {
  const text = withPlaceLast(withoutTail(withoutPoliteness(piece, pack), pack))
  const tokens = tokensOf(text)
  const question = pack.clause.question.test(text)
  const { action: said, verbEnd } = (pack.clause.wish.test(piece.trim()) ? wishOf(tokens) : undefined) ?? actionOf(text, tokens, pack)
  // A folder is not read, it is listed.
  const action = ['read', 'open'].includes(said) && tokens.some(({ concept }) => concept === 'folder') ? 'list' : said
  return { kind: kindOf(text, piece.trim(), pack), text, raw: unmask(piece, masked).trim(), masked, tokens, action, verbEnd, question }
}

/** "In a.txt, change x to y": the place may come first. */
const withPlaceLast = (text: string): string => text.replace(/^((?:in|on|at|to|for|from|inside|under|within)\s[^,]+),\s*(.+)$/is, '$2 $1')

const ending = /[\s,，.。!！;；]+$/

function withoutTail(text: string, pack: LanguagePack): string {
  let rest = text.replace(ending, '')
  for (let shorter = rest.replace(pack.clause.tail, ''); shorter !== rest && shorter.trim() !== ''; shorter = rest.replace(pack.clause.tail, '')) {
    rest = shorter.replace(ending, '')
  }
  return rest
}

/** "a refund for order 7": the noun is the verb. "a table for two": whatever brings one about. */
function wishOf(tokens: readonly Token[]): { action: string; verbEnd: number } | undefined {
  const named = tokens.slice(0, 4).find(({ action, known, filler }) => action !== undefined || (known && !filler))
  if (named?.action !== undefined) return { action: named.action, verbEnd: named.end }
  return { action: 'wish', verbEnd: 0 }
}

function kindOf(text: string, piece: string, pack: LanguagePack): ClauseKind {
  const { identity, greeting, negated, declined, showAgain, howTo, statement } = pack.clause
  if (identity.test(text) || identity.test(piece)) return 'identity'
  if (greeting.test(text) || greeting.test(piece)) return 'greeting'
  if (negated.test(text) || declined.test(text)) return 'negated'
  if (showAgain.test(text)) return 'show-again'
  if (howTo.test(text)) return 'how-to'
  return statement.test(text) ? 'statement' : 'request'
}

/** The action of a form, of the first verb, or of a question. In English an unknown first word is taken for the verb it is. */
function actionOf(text: string, tokens: readonly Token[], pack: LanguagePack): { action: string; verbEnd: number } {
  for (const [form, action] of pack.clause.actions) {
    const match = form.exec(text)
    if (match) return { action, verbEnd: match.index + match[0].length }
  }
  const leading = pack.code === 'en' ? tokens.slice(0, 1) : tokens.filter(({ kind }) => kind === 'han')
  const verb = leading.find(({ action }) => action !== undefined)
  if (verb?.action !== undefined) return { action: verb.action, verbEnd: verb.end }
  const [head] = tokens
  if (pack.code === 'zh' || !head || head.kind === 'entity' || pack.clause.question.test(text)) return { action: 'get', verbEnd: 0 }
  return head.known || head.filler ? { action: 'get', verbEnd: 0 } : { action: head.concept, verbEnd: head.end }
}

/** Whether a text can be the answer to a question for what is missing: no order, no question, no refusal. */
export function canAnswer(text: string, pack: LanguagePack): boolean {
  const [first, ...others] = clausesOf(text, pack)
  if (!first || others.some(({ kind }) => kind !== 'request')) return false
  const [head] = first.tokens
  const isOrder = head !== undefined && head.kind !== 'entity' && head.action !== undefined
  return first.kind === 'request' && !isOrder && !first.question
}
