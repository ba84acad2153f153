/** What the offline model sees in a tool: its concepts, what it does, and its fields. Any tool will do; nothing is known by name. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { conceptsOf, type Token } from './language/lexicon.ts'
import { type JsonSchema, type Slot, slotsOf } from './slots.ts'

/** A tool, as the rules see it. */
export interface ToolCard {
  readonly name: string
  /** What it does: the verbs of its name and those its description begins with. */
  readonly actions: ReadonlySet<string>
  /** What its name is about. */
  readonly topics: ReadonlySet<string>
  /** Everything its description and fields are about. */
  readonly concepts: ReadonlySet<string>
  readonly slots: readonly Slot[]
  /** It only looks: a name that was suggested may be tried, and a word too many does no harm. */
  readonly looks: boolean
}

const looking = new Set('get read list search calculate convert translate summarise'.split(' '))

const delegates = /\b(?:sub-?agent|agent|delegat\w*|hands? (?:a|the) task|specialist|teammate)\b|智能体|子代理|委派|委托/iu

/** The cards of the tools that may be called. */
export function cardsOf({ tools = [], toolChoice }: Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'>): readonly ToolCard[] {
  if (toolChoice?.type === 'none') return []
  const only = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  return tools.flatMap((tool) => (tool.type === 'function' && (only === undefined || tool.name === only) ? [cardOf(tool)] : []))
}

function cardOf({ name, description = '', inputSchema }: LanguageModelV4FunctionTool): ToolCard {
  const slots = slotsOf(inputSchema as JsonSchema)
  const named = conceptsOf(name)
  const described = conceptsOf(description)
  const verb = ownVerb(named, described)
  const actions = new Set([...actionsOf(named), ...actionsOf(leadingVerbs(described)), ...verb])
  if (actions.size === 0) for (const action of strangeVerb(described)) actions.add(action)
  if (delegates.test(description) && slots.some(({ kind }) => kind === 'prose')) actions.add('delegate')
  const topics = new Set(isOpaque(named) ? [] : topicsOf(named).filter((topic) => !verb.includes(topic)))
  const fields = slots.flatMap((slot) => [...slot.concepts])
  const concepts = new Set([...topics, ...actions, ...topicsOf(described), ...fields])
  return { name, actions, topics, concepts, slots, looks: [...actions].every((action) => looking.has(action)) }
}

/** `deploy_site`, "Deploys a site": the first word of several is a verb, also one that no table has. */
function ownVerb([first, ...others]: readonly Token[], described: readonly Token[]): readonly string[] {
  const isOne = first && others.length > 0 && !first.known && !first.filler
  return isOne && (described.length === 0 || described[0]?.concept === first.concept) ? [first.concept] : []
}

/** "Pays an invoice": a verb that no table has is still no looking. */
const strangeVerb = ([first, second]: readonly Token[]): readonly string[] =>
  first && second && !first.known && !first.filler && /^(?:an?|the|all|one|your|this|its)$/i.test(second.text) ? [first.concept] : []

/** `bash`: a name that says nothing; its description has to. */
const isOpaque = ([first, ...others]: readonly Token[]): boolean => first !== undefined && others.length === 0 && !first.known

const actionsOf = (tokens: readonly Token[]): readonly string[] => tokens.flatMap(({ action }) => (action === undefined ? [] : [action]))

/** "Move or rename files": the verbs before the first other word. */
function leadingVerbs(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findIndex(({ action, filler, text }) => action === undefined && !(filler && /^(?:or|and|或|和|recursively)$/i.test(text)))
  const leading = end < 0 ? tokens : tokens.slice(0, end)
  return leading.length > 0 ? leading : tokens.slice(0, 2)
}

const topicsOf = (tokens: readonly Token[]): readonly string[] =>
  tokens.flatMap(({ concept, action, filler, known }) => {
    if (filler && !known) return []
    return action !== undefined && concept === action ? [] : [concept]
  })
