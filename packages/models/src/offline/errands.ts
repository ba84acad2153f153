/**
 * The errands that a newcomer types first, in any ordinary wording: reading, listing, searching, todo lists, questions, other agents. A form covers
 * its clause from the first word to the last, so whatever it does not know is left to the rules for any tool.
 */
import type { Choice } from './choosing.ts'
import { type Clause, entitiesOf } from './clauses.ts'
import { type Entity, entityAt, unmask } from './entities.ts'
import { asQuestion, coerce, type Value } from './filling.ts'
import { pathLook } from './filling-text.ts'
import { conceptsOf } from './language/lexicon.ts'
import type { Errand, LanguagePack } from './language/pack.ts'
import type { Slot } from './slots.ts'
import type { ToolCard } from './tool-card.ts'

type Said = Readonly<Record<string, string | undefined>>

/** What a clause is matched against. */
interface Scene {
  readonly cards: readonly ToolCard[]
  readonly pack: LanguagePack
}

interface Recipe {
  /** Whether a tool can run the errand. */
  readonly suits: (card: ToolCard) => boolean
  /** The field that each group of a form fills. */
  readonly fields: Readonly<Record<string, (slot: Slot) => boolean>>
}

const isPath = ({ kind }: Slot): boolean => kind === 'path'
const isWords = ({ kind, required }: Slot): boolean => required && (kind === 'prose' || kind === 'query')
const isCount = ({ kind, name }: Slot): boolean => kind === 'number' && /limit|max|count|top|head|num|size|first|results|lines/i.test(name)
const takes = ({ slots }: ToolCard, is: (slot: Slot) => boolean): boolean => slots.some(is)
const needsOnly = ({ slots }: ToolCard, is: (slot: Slot) => boolean): boolean => slots.every((slot) => !slot.required || is(slot))
const isTodo = ({ topics }: ToolCard): boolean => topics.has('todo')
const searches = (card: ToolCard): boolean => card.actions.has('search') && takes(card, ({ kind }) => kind === 'query')

const recipes: Readonly<Record<Errand, Recipe>> = {
  read: {
    suits: (card) => card.actions.has('read') && takes(card, isPath) && needsOnly(card, isPath),
    fields: { file: isPath, count: isCount },
  },
  list: {
    suits: (card) => card.actions.has('list') && takes(card, isPath) && needsOnly(card, isPath),
    fields: { folder: isPath, place: isPath, deep: ({ kind, named }) => kind === 'boolean' && named.has('recursive') },
  },
  'search-files': {
    suits: (card) => searches(card) && takes(card, isPath) && needsOnly(card, (slot) => isPath(slot) || isWords(slot)),
    fields: { folder: isPath, place: isPath, words: isWords },
  },
  'search-web': {
    suits: (card) => searches(card) && !takes(card, isPath) && card.topics.has('web') && needsOnly(card, isWords),
    fields: { words: isWords, count: isCount },
  },
  'list-todos': { suits: (card) => isTodo(card) && card.actions.has('list') && needsOnly(card, () => false), fields: {} },
  'add-todo': {
    suits: (card) => isTodo(card) && (card.actions.has('add') || card.actions.has('create')) && takes(card, isWords) && needsOnly(card, isWords),
    fields: { words: isWords, priority: ({ kind, named }) => kind === 'choice' && named.has('priority') },
  },
  ask: {
    suits: (card) => card.actions.has('ask') && takes(card, isWords) && needsOnly(card, isWords),
    fields: { question: isWords },
  },
  delegate: {
    suits: (card) => card.actions.has('delegate') && takes(card, isWords) && needsOnly(card, isWords),
    fields: { task: isWords },
  },
}

/** The tool for an errand, with what the clause gives it; undefined when no form covers the clause, or no single tool can run it. */
export function errandOf(clause: Clause, scene: Scene): Choice | undefined {
  for (const [form, errand] of scene.pack.content.errands) {
    const said = form.exec(clause.text)?.groups
    const isCovered = said !== undefined || form.test(clause.text)
    const choice = isCovered ? choiceFor({ errand, said: said ?? {} }, clause, scene) : undefined
    if (choice) return choice
  }
  return undefined
}

function choiceFor({ errand, said }: { errand: Errand; said: Said }, clause: Clause, { cards, pack }: Scene): Choice | undefined {
  const { suits, fields } = recipes[errand]
  const [card, ...others] = cards.filter((each) => suits(each) && isMeant(each, said['agent']))
  if (!card || others.length > 0) return undefined
  const values: Record<string, Value> = {}
  for (const [group, text] of Object.entries(said)) {
    const field = fields[group]
    if (text === undefined || text.trim() === '' || !field) continue
    const slot = card.slots.find((each) => field(each) && !(each.name in values))
    const value = slot && saidFor(group, text.trim(), { clause, pack, slot })
    if (!slot || value === undefined) return undefined
    values[slot.name] = value
  }
  const missing = card.slots.filter(({ name, required }) => required && !(name in values))
  return { card, filled: { values, missing, spread: undefined, spans: [] } }
}

const isMeant = ({ name }: ToolCard, agent: string | undefined): boolean => agent === undefined || name.toLowerCase() === agent.toLowerCase()

function saidFor(group: string, text: string, { clause, pack, slot }: { clause: Clause; pack: LanguagePack; slot: Slot }): Value | undefined {
  const entity = text.length === 1 ? entityAt(clause.masked, text) : undefined
  switch (group) {
    case 'file':
      return entity && isFile(entity) ? entity.value : undefined
    case 'folder':
    case 'place':
      return entity ? placeOf(entity) : isFolderName(text, group === 'place') ? text : undefined
    case 'deep':
      return true
    case 'priority':
      return slot.schema.enum?.find((choice): choice is string => conceptsOf(text).some(({ concept }) => concept === choice))
    case 'question':
      return asQuestion(entity?.value ?? unmask(text, clause.masked), pack)
    default:
      // A quotation among other words: the rules for any tool tell which is which.
      if (group !== 'task' && !entity && entitiesOf({ text, masked: clause.masked }).some((placed) => ['quote', 'pair'].includes(placed.entity.kind)))
        return undefined
      return coerce(slot, entity?.value ?? unmask(text, clause.masked))
  }
}

const isFile = ({ kind, value }: Entity): boolean => (kind === 'path' || kind === 'quote') && pathLook(value) === 'file'

const placeOf = ({ kind, value }: Entity): string | undefined =>
  (kind === 'path' || kind === 'quote') && pathLook(value) !== 'file' && value.length < 200 ? value : undefined

/** A word that means something else is the name of a folder only where it is called one. */
function isFolderName(text: string, isBare: boolean): boolean {
  if (/[\uE000-\uF8FF]/.test(text)) return false
  const [first, ...others] = conceptsOf(text)
  if (/\p{Script=Han}/u.test(text))
    return text.length > 1 && first !== undefined && !first.filler && (others.length === 0 || first.action === undefined)
  return !isBare || [first, ...others].every((token) => token !== undefined && !token.known && !token.filler)
}
