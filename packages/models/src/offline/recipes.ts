/** Requests that take more than one tool, or none: calculations, summaries, and writing what was found. */
import { evaluate } from './arithmetic.ts'
import { choose } from './choosing.ts'
import { type Clause, entitiesOf, type Placed } from './clauses.ts'
import { type Entity, entityAt, unmask } from './entities.ts'
import { pathLook } from './filling-text.ts'
import type { LanguagePack } from './language/pack.ts'
import type { PlannedCall, PlanScene, Problem, Ref, Stage, Step } from './plan.ts'
import type { Slot } from './slots.ts'
import { summarise } from './summarising.ts'
import type { ToolCard } from './tool-card.ts'

/** What a recipe looks at. */
export interface Kitchen {
  readonly clause: Clause
  readonly stages: readonly Stage[]
  readonly scene: PlanScene
}

/** The recipe for a clause, if there is one. */
export function recipeFor(kitchen: Kitchen): Step | undefined {
  return sumStep(kitchen) ?? onwardStep(kitchen) ?? transferStep(kitchen) ?? summaryStep(kitchen)
}

const operations: Readonly<Record<string, string>> = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' }

/** A clause that is nothing but a calculation: by a calculator, by a tool for its operator, or by the model's own arithmetic. */
function sumStep({ clause, stages, scene }: Kitchen): Step | undefined {
  const found = entitiesOf(clause)
  const [only] = found
  if (found.length !== 1 || only?.entity.kind !== 'expression') return undefined
  const rest = clause.text.replaceAll(new RegExp(scene.pack.content.aroundSums, 'giu'), ' ').replace(/[\s\uE000-\uF8FF]/g, '')
  const { value: expression } = only.entity
  const sum = evaluate(expression)
  if (rest !== '' || !sum) return undefined
  const call = calculatorCall(expression, scene.cards) ?? operatorCall(sum.simple, scene.cards)
  const stage: Stage = call
    ? { kind: 'calls', calls: [call], show: 'result', about: expression }
    : { kind: 'say', text: scene.pack.replies.sum(expression, String(sum.value)), value: sum.value }
  return { stages: [...stages, stage] }
}

/** "then multiply it by 3": goes on from the number that the stage before has found. */
function onwardStep({ clause, stages, scene: { cards, pack } }: Kitchen): Step | undefined {
  const former = stages.at(-1)
  const [only, ...others] = entitiesOf(clause)
  const found = pack.content.onward.find(([form]) => form.test(clause.text))
  if (!former || !found || only?.entity.kind !== 'number' || others.length > 0) return undefined
  const [, operator] = found
  const { value: by } = only.entity
  if (former.kind === 'say') {
    const expression = `${former.value} ${operator} ${by}`
    const sum = former.value === undefined ? undefined : evaluate(expression)
    return sum && { stages: [...stages, { kind: 'say', text: pack.replies.sum(expression, String(sum.value)), value: sum.value }] }
  }
  const ref = { stage: stages.length - 1, as: 'number' as const }
  const call = calculatorCall({ ...ref, after: ` ${operator} ${by}` }, cards) ?? operatorCall({ a: ref, operator, b: Number(by) }, cards)
  return call && { stages: [...stages, { kind: 'calls', calls: [call], show: 'result', about: clause.raw }] }
}

function calculatorCall(expression: string | Ref, cards: readonly ToolCard[]): PlannedCall | undefined {
  for (const card of cards) {
    const [slot, ...others] = card.slots.filter(({ required }) => required)
    const takes = slot?.kind === 'expression' || (card.actions.has('calculate') && slot !== undefined && isText(slot))
    if (slot && takes && others.length === 0) return { tool: card.name, input: { [slot.name]: expression }, looks: false }
  }
  return undefined
}

function operatorCall(simple: { a: number | Ref; operator: string; b: number } | undefined, cards: readonly ToolCard[]): PlannedCall | undefined {
  const operation = operations[simple?.operator ?? '']
  const card = cards.find(({ actions, topics, slots }) => {
    return (
      operation !== undefined && actions.has(operation) && topics.size === 0 && slots.length === 2 && slots.every(({ kind }) => kind === 'number')
    )
  })
  const [a, b] = card?.slots ?? []
  return card && a && b && simple ? { tool: card.name, input: { [a.name]: simple.a, [b.name]: simple.b }, looks: false } : undefined
}

const isText = ({ kind }: Slot): boolean => kind === 'prose' || kind === 'name' || kind === 'query'

/** A tool that needs a path and nothing else. */
function pathTool(cards: readonly ToolCard[], actions: readonly string[]): { card: ToolCard; slot: Slot } | undefined {
  for (const action of actions) {
    for (const card of cards) {
      const slot = card.slots.find(({ kind }) => kind === 'path')
      const needsMore = card.slots.some(({ required, name }) => required && name !== slot?.name)
      if (slot && !needsMore && card.actions.has(action)) return { card, slot }
    }
  }
  return undefined
}

interface Writer {
  readonly card: ToolCard
  readonly path: Slot
  readonly content: Slot
}

/** A tool that writes a text to a path. */
function writerOf(cards: readonly ToolCard[]): Writer | undefined {
  for (const card of cards) {
    const path = card.slots.find(({ kind }) => kind === 'path')
    const content = card.slots.find(({ kind, required }) => kind === 'prose' && required)
    const needsMore = card.slots.some(({ required, name }) => required && name !== path?.name && name !== content?.name)
    if (path && content && !needsMore && (card.actions.has('write') || card.actions.has('create'))) return { card, path, content }
  }
  return undefined
}

/** "write <what> to <where>". */
function transferStep(kitchen: Kitchen): Step | undefined {
  const { clause, stages, scene } = kitchen
  const writer = writerOf(scene.cards)
  const groups = firstGroups(clause.text, scene.pack.content.transfer)
  const where = groups && entityAt(clause.masked, groups['where'] ?? '')
  if (!writer || !groups || !where || !isPlace(where)) return undefined
  if (clause.action === 'copy' && choose(clause, scene.cards, scene.pack).kind === 'one' && scene.cards.some(({ actions }) => actions.has('copy')))
    return undefined
  const { said } = groups
  const isPlain =
    said !== undefined && entitiesOf({ text: said, masked: clause.masked }).every(({ entity }) => !['quote', 'pair', 'path'].includes(entity.kind))
  if (said !== undefined && isPlain) return { stages: [...stages, writeStage(writer, where.value, unmask(said, clause.masked).trim())] }
  const source = sourceOf((groups['what'] ?? said ?? '').replace(scene.pack.content.adverbs, '').trim(), kitchen)
  if ('problem' in source) return withAnswer(source.problem, { writer, where, kitchen })
  const all = [...stages.map(quiet(source.from ?? -1)), ...source.stages]
  return { stages: [...all, writeStage(writer, where.value, source.content ?? { stage: source.from ?? all.length - 1, as: source.as })] }
}

const isPlace = ({ kind, value }: Entity): boolean => kind === 'path' || (kind === 'quote' && pathLook(value) !== undefined)

/** What was found only to be written is not shown besides. */
const quiet =
  (from: number) =>
  (stage: Stage, index: number): Stage =>
    index === from && stage.kind === 'calls' ? { ...stage, show: 'nothing' } : stage

function writeStage({ card, path, content }: Writer, where: string, what: PlannedCall['input'][string]): Stage {
  const call: PlannedCall = { tool: card.name, input: { [path.name]: where, [content.name]: what }, looks: false }
  return { kind: 'calls', calls: [call], show: 'wrote', about: where }
}

/** The text was asked for, and here it is. */
function withAnswer(problem: Problem, { writer, where, kitchen }: { writer: Writer; where: Entity; kitchen: Kitchen }): Step {
  const { answer } = kitchen.scene
  if (problem.kind !== 'needs' || answer === undefined) return { problem }
  const quoted = /^["“「'](.*)["”」']$/s.exec(answer.trim())
  return { stages: [...kitchen.stages, writeStage(writer, where.value, quoted?.[1] ?? answer.trim())] }
}

function firstGroups(text: string, forms: readonly RegExp[]): Record<string, string | undefined> | undefined {
  for (const form of forms) {
    const match = form.exec(text)
    if (match?.groups) return match.groups
  }
  return undefined
}

/** Where the text comes from: said literally, found by an earlier stage, or found by new stages. */
type Source =
  | { readonly content?: string; readonly stages: readonly Stage[]; readonly as: 'text' | 'summary'; readonly from?: number }
  | { readonly problem: Problem }

function sourceOf(what: string, kitchen: Kitchen): Source {
  const { clause, scene } = kitchen
  const placed = entitiesOf({ text: what, masked: clause.masked })
  // Two texts for one file: which, and how they are joined, nobody has said.
  if (placed.filter(({ entity }) => entity.kind === 'quote' || entity.kind === 'pair').length > 1)
    return { problem: { kind: 'cannot', raw: clause.raw, partly: false } }
  const said = saidIn(what, placed, kitchen)
  const isPlain =
    said !== undefined && entitiesOf({ text: said, masked: clause.masked }).every(({ entity }) => !['quote', 'pair', 'path'].includes(entity.kind))
  if (said !== undefined && isPlain) return { content: said, stages: [], as: 'text' }
  const as = scene.pack.content.summary.test(what) ? 'summary' : 'text'
  const found = formerSource(what, as, kitchen) ?? newSource({ what, as, placed }, scene)
  if (found) return found
  const [single] = placed
  if (single && what.length === 1) {
    const sum = single.entity.kind === 'expression' ? evaluate(single.entity.value) : undefined
    return { content: sum ? String(sum.value) : single.entity.value, stages: [], as: 'text' }
  }
  const writer = writerOf(scene.cards)
  const fields = writer ? [writer.content.name] : []
  return { problem: { kind: 'needs', raw: clause.raw, tool: writer?.card.name ?? '', fields, words: true } }
}

/** What is to be written, word for word; a quoted name is a file only where its content is spoken of. */
function saidIn(what: string, placed: readonly Placed[], { clause, scene }: Kitchen): string | undefined {
  const isCopied = clause.action === 'copy' || scene.pack.content.contentsOf.test(what)
  return placed.find(({ entity }) => entity.kind === 'pair' || (entity.kind === 'quote' && !(isCopied && pathLook(entity.value))))?.entity.value
}

/** What an earlier stage has found: "it", "the result", "a summary". */
function formerSource(what: string, as: 'text' | 'summary', { clause, stages, scene }: Kitchen): Source | undefined {
  const former = stages.findLastIndex(({ kind }) => kind === 'calls')
  const found = stages[former]
  if (found?.kind !== 'calls' || entitiesOf({ text: what, masked: clause.masked }).some(({ entity }) => isPlace(entity))) return undefined
  const bare = what.replace(/^(?:(?:the|a|an|its|short|brief)\b|一份|简短的?|这份)\s*/giu, '').trim()
  if (as === 'text' && !scene.pack.content.former.test(bare)) return undefined
  return { from: former, stages: [], as: found.show === 'summary' ? 'summary' : as }
}

interface Described {
  readonly what: string
  readonly as: 'text' | 'summary'
  readonly placed: readonly Placed[]
}

/** What has to be found first: the content of a file, the names in a folder. */
function newSource({ what, as, placed }: Described, { cards, pack }: PlanScene): Source | undefined {
  const path = placed.find(({ entity }) => isPlace(entity))
  const folder = pack.content.listing.test(what) ? folderIn(what, path, pack) : undefined
  const tool = folder === undefined ? path && pathTool(cards, ['read', 'get']) : pathTool(cards, ['list'])
  const place = folder ?? path?.entity.value
  return tool && place !== undefined ? { stages: [lookStage(tool, place, 'nothing')], as } : undefined
}

function folderIn(what: string, path: Placed | undefined, { content }: LanguagePack): string | undefined {
  if (path) return path.entity.value
  for (const form of content.folders) {
    const match = form.exec(what)
    if (match?.[1]) return match[1]
  }
  return undefined
}

function lookStage({ card, slot }: { card: ToolCard; slot: Slot }, place: string, show: 'summary' | 'nothing'): Stage {
  return { kind: 'calls', calls: [{ tool: card.name, input: { [slot.name]: place }, looks: true }], show, about: place }
}

/** A summary of a file, of a text that was given, or of what the stage before has found. */
function summaryStep({ clause, stages, scene }: Kitchen): Step | undefined {
  const { summary } = scene.pack.content
  if (clause.action !== 'summarise' && !(clause.action === 'get' && summary.test(clause.text))) return undefined
  if (scene.cards.some(({ actions }) => actions.has('summarise'))) return undefined
  const placed = entitiesOf(clause)
  const [path, ...more] = placed.filter(({ entity }) => isPlace(entity))
  // "a summary, saved to b.txt": a path after the verb for writing is no source.
  const isWritten = clause.tokens.some(({ action, start, text }) => action === 'write' && start > 0 && text.length > 1)
  if (more.length > 0 || isWritten) return undefined
  const reader = pathTool(scene.cards, ['read', 'get'])
  if (path && reader) return { stages: [...stages, lookStage(reader, path.entity.value, 'summary')] }
  const said = placed.find(({ entity }) => entity.kind === 'quote' || entity.kind === 'pair')
  if (said && !path) return { stages: [...stages, { kind: 'say', text: summarise(said.entity.value) }] }
  const former = stages.findLastIndex(({ kind }) => kind === 'calls')
  if (path || (former < 0 && !reader)) return undefined
  if (former < 0) return reader && needsFile(clause, reader)
  return { stages: stages.map((stage, index) => (index === former && stage.kind === 'calls' ? { ...stage, show: 'summary' } : stage)) }
}

/** "Summarise the file": which one? */
function needsFile({ tokens, raw }: Clause, { card, slot }: { card: ToolCard; slot: Slot }): Step | undefined {
  if (!tokens.some(({ concept }) => concept === 'file')) return undefined
  return { problem: { kind: 'needs', raw, tool: card.name, fields: [slot.name], words: false } }
}
