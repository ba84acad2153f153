/** What the offline model sees in a tool: its concepts, what it does, and its fields. Any tool will do; nothing is known by name. */
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@loom-agent/agent/language-model'
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
  /** Every word of its description. */
  readonly spoken: ReadonlySet<string>
  /** The thing that its description speaks of first: "Shows the latest commits". */
  readonly head?: string
  readonly slots: readonly Slot[]
  /** It only looks: a name that was suggested may be tried, and a word too many does no harm. */
  readonly looks: boolean
}

const looking = new Set('get read list search calculate convert translate summarise track count'.split(' '))

const delegates = /\b(?:sub-?agent|agent|delegat\w*|hands? (?:a|the) task|specialist|teammate)\b|智能体|子代理|委派|委托/iu

/** The cards of the tools that may be called. */
export function cardsOf({ tools = [], toolChoice }: Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'>): readonly ToolCard[] {
  if (toolChoice?.type === 'none') return []
  const only = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  const firsts = tools.map(({ name }) => conceptsOf(name)[0]?.concept ?? '')
  const shared = new Set(firsts.filter((first, index) => firsts.indexOf(first) < index))
  return tools.flatMap((tool) => (tool.type === 'function' && (only === undefined || tool.name === only) ? [cardOf(tool, shared)] : []))
}

function cardOf({ name, description = '', inputSchema }: LanguageModelV4FunctionTool, shared: ReadonlySet<string>): ToolCard {
  const slots = slotsOf(inputSchema as JsonSchema)
  const named = conceptsOf(name)
  const described = conceptsOf(description.replace(telling, 'Gets'))
  // `git_log`, `git_status`: what several names begin with is no verb where the descriptions have one.
  const isPrefixed = described[0]?.action !== undefined && shared.has(named[0]?.concept ?? '')
  const verb = ownVerb(isPrefixed ? named.slice(1) : named, described)
  const actions = new Set([...actionsOf(named), ...actionsOf(leadingVerbs(described)), ...verb])
  if (actions.size === 0) for (const action of strangeVerb(described)) actions.add(action)
  if (delegates.test(description) && slots.some(({ kind }) => kind === 'prose'))
    for (const action of ['delegate', ...abilitiesOf(description)]) actions.add(action)
  const objects = named
    .slice(1)
    .flatMap(({ action, concept }) => (action !== undefined && verb.length > 0 && !verb.includes(concept) ? [concept] : []))
  const topics = new Set(isOpaque(named) ? [] : [...topicsOf(named).filter((topic) => !verb.includes(topic)), ...objects])
  const fields = slots.flatMap((slot) => [...slot.concepts])
  const concepts = new Set([...topics, ...actions, ...topicsOf(described), ...fields])
  const spoken = new Set(described.map(({ concept }) => concept))
  const head = topicsOf(described.slice(1)).find((concept) => concept !== '')
  return {
    name,
    actions,
    topics,
    concepts,
    spoken,
    ...(head !== undefined && { head }),
    slots,
    looks: [...actions].every((action) => looking.has(action)),
  }
}

/** "Returns the balance" is no returning. */
const telling = /^(?:Returns?|Provides?|Retrieves?|Looks? up|Gives?|Reports?|Tells?)\b/i

/** "Hands a task to the agent: finds facts": what another agent does for us. */
const abilitiesOf = (description: string): readonly string[] => actionsOf(conceptsOf(/[:：](.*)$/s.exec(description)?.[1] ?? ''))

/** `deploy_site`, "Deploys a site": the first word of several is a verb, also one that no table has. */
function ownVerb(named: readonly Token[], described: readonly Token[]): readonly string[] {
  const [first, ...others] = named
  const [head, ...rest] = described
  const told = named.find((token) => isStrange(token) && token.concept === head?.concept)
  if (told && others.length > 0) return [told.concept]
  if (!first || others.length === 0 || !isStrange(first) || others.some(({ action }) => action !== undefined && action === head?.action)) return []
  // Described by another verb, and not spoken of as a thing: `borrow_book`, "Lends a book".
  const isVerb = !head || (/s$/i.test(head.text) && !isNoun(head) && rest.every(({ concept }) => concept !== first.concept))
  return isVerb ? [first.concept] : []
}

const isStrange = ({ known, filler }: Token): boolean => !known && !filler
const isNoun = ({ known, action }: Token): boolean => known && action === undefined

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
