/** What Anthropic refuses about tools, their calls and their results. */
import { eachBlock, ofType, type Turn, turnsOf } from './anthropic-turns.ts'
import { type Exchange, type Named, pairing } from './exchanges.ts'
import { isLoose, type Loose, loose, looseList } from './loose.ts'
import { each, firstRefusal, onBody, valuesAt } from './places.ts'
import type { Check, Refusal, RuleRows, WireRequest } from './wire.ts'

const callsOf = (turn: Turn | undefined): readonly Named[] =>
  ofType(turn, 'tool_use').map(({ value, at }) => ({ id: value['id'], index: turn?.index ?? 0, at }))

const resultsOf = (turn: Turn | undefined): readonly Named[] =>
  ofType(turn, 'tool_result').map(({ value, at }) => ({ id: value['tool_use_id'], index: turn?.index ?? 0, at }))

/** The calls of each turn with the results of the next one; before the first turn there are no calls. */
function exchangesOf(request: WireRequest): readonly Exchange[] {
  const turns = turnsOf(request)
  return [undefined, ...turns].map((turn, index) => ({ index: turn?.index ?? 0, calls: callsOf(turn), answers: resultsOf(turns[index]) }))
}

const { answered, asked, once } = pairing(exchangesOf)

const unanswered = (index: number, ids: readonly unknown[]): string =>
  `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

const badId = (id: unknown, at: string): Refusal =>
  !(typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id)) && `${at}: String should match pattern '^[a-zA-Z0-9_-]+$'`

/** Whether there is no content at all. */
export const isBlank = (content: unknown): boolean => content === undefined || content === '' || (Array.isArray(content) && content.length === 0)

const isOwn = ({ type }: Loose): boolean => type === undefined || type === 'custom'

/** Checks every tool that the client runs. */
const eachTool = (check: (tool: Loose, at: string) => Refusal): Check => each('tools.*', (tool, at) => isOwn(tool) && check(tool, `${at}.custom`))

/** The rules about tools, calls and results. */
export const anthropicToolRules: RuleRows = {
  'anthropic/calls-answered': answered((open, { index }) => unanswered(index, open)),
  'anthropic/answers-asked': asked(({ id, at }) => {
    const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
    return `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${rule}`
  }),
  'anthropic/answers-first': (request) =>
    firstRefusal(turnsOf(request), (turn, index) => {
      const next = turnsOf(request)[index + 1]
      const last = next?.blocks.findLastIndex(({ value }) => value['type'] === 'tool_result') ?? -1
      const ids = callsOf(turn).map(({ id }) => id)
      return last >= resultsOf(next).length && unanswered(turn.index, ids)
    }),
  'anthropic/answered-once': once(
    ({ id, at }) => `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
  ),
  'anthropic/call-ids-once': (request) => {
    const all = turnsOf(request).flatMap(callsOf)
    const again = all.find(({ id }, index) => all.findIndex((other) => other.id === id) < index)
    return again && `${again.at}: \`tool_use\` ids must be unique`
  },
  'anthropic/call-id-pattern': each('messages.*.content.*', ({ type, id, tool_use_id: called }, at) => {
    if (type === 'tool_use') return badId(id, `${at}.tool_use.id`)
    return type === 'tool_result' && badId(called, `${at}.tool_result.tool_use_id`)
  }),
  'anthropic/input-is-an-object': eachBlock(
    'tool_use',
    ({ input }, at) => !isLoose(input) && `${at}.tool_use.input: Input should be a valid dictionary`,
  ),
  'anthropic/error-says-something': eachBlock('tool_result', ({ is_error: isError, content }, at) => {
    return isError === true && isBlank(content) && `${at}.tool_result: content cannot be empty if \`is_error\` is true`
  }),
  'anthropic/error-is-text': eachBlock('tool_result', ({ is_error: isError, content }, at) => {
    const isMixed = isError === true && looseList(content).some(({ type }) => type !== 'text')
    return isMixed && `${at}.tool_result: all content must be type \`text\` if \`is_error\` is true`
  }),
  'anthropic/tool-name': eachTool(({ name }, at) => {
    return !/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) && `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
  }),
  'anthropic/tools-once': onBody((body) => {
    const names = valuesAt(body, 'tools.*').flatMap(({ value }) => (isOwn(value) ? [value['name']] : []))
    return new Set(names).size < names.length && 'tools: Tool names must be unique.'
  }),
  'anthropic/schema-typed': eachTool((tool, at) => {
    const { type } = loose(tool['input_schema'])
    return type !== 'object' && `${at}.input_schema.type: ${type === undefined ? 'Field required' : "Input should be 'object'"}`
  }),
  'anthropic/schema-flat': eachTool((tool, at) => {
    const isSplit = ['oneOf', 'allOf', 'anyOf'].some((key) => loose(tool['input_schema'])[key] !== undefined)
    return isSplit && `${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
  }),
}
