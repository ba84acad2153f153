/** What Anthropic refuses about tools, their calls and their results. */
import { type Block, eachBlock, ofType, type Turn, toolsOf, turnsOf } from './anthropic-turns.ts'
import { isLoose, type Loose, loose, looseList } from './loose.ts'
import { type Complaint, firstComplaint, type RuleRow, type WireRequest } from './wire.ts'

const idOf = ({ block }: Block): unknown => block['id'] ?? block['tool_use_id']

/** Looks at each turn with the one after it. */
const eachPair = (request: WireRequest, check: (turn: Turn, next: Turn | undefined) => Complaint | undefined): Complaint | undefined => {
  const turns = turnsOf(request)
  return firstComplaint(turns, (turn, index) => check(turn, turns[index + 1]))
}

const unanswered = (index: number, ids: readonly unknown[]): Complaint => {
  const said = `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}.`
  return { message: `${said} Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.` }
}

const idPattern = /^[a-zA-Z0-9_-]+$/
const badId = (id: unknown, at: string): Complaint | undefined =>
  typeof id === 'string' && idPattern.test(id) ? undefined : { message: `${at}: String should match pattern '^[a-zA-Z0-9_-]+$'` }

const isEmpty = ({ content }: Loose): boolean => content === undefined || content === '' || (Array.isArray(content) && content.length === 0)

const pairing: readonly RuleRow[] = [
  {
    id: 'anthropic/calls-answered',
    says: 'Every call has its result in the next turn.',
    source: 'https://github.com/anthropics/claude-code/issues/8210',
    check: (request) =>
      eachPair(request, (turn, next) => {
        const answered = ofType(next, 'tool_result').map(idOf)
        const open = ofType(turn, 'tool_use')
          .map(idOf)
          .filter((id) => !answered.includes(id))
        return open.length > 0 ? unanswered(turn.index, open) : undefined
      }),
  },
  {
    id: 'anthropic/answers-asked',
    says: 'Every result belongs to a call of the turn before.',
    source: 'https://github.com/anthropics/claude-code/issues/18947',
    check(request) {
      const turns = turnsOf(request)
      return firstComplaint(turns, (turn, index) => {
        const asked = ofType(turns[index - 1], 'tool_use').map(idOf)
        const stray = ofType(turn, 'tool_result').find((block) => !asked.includes(idOf(block)))
        const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
        return stray && { message: `${stray.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${idOf(stray)}. ${rule}` }
      })
    },
  },
  {
    id: 'anthropic/answers-first',
    says: 'Results come before anything else in the turn.',
    source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
    check: (request) =>
      eachPair(request, (turn, next) => {
        const types = next?.blocks.map(({ block }) => block['type']) ?? []
        const isLate = types.lastIndexOf('tool_result') >= ofType(next, 'tool_result').length
        return isLate ? unanswered(turn.index, ofType(turn, 'tool_use').map(idOf)) : undefined
      }),
  },
  {
    id: 'anthropic/answered-once',
    says: 'No call is answered twice.',
    source: 'https://github.com/anthropics/claude-code/issues/14110',
    check: (request) =>
      firstComplaint(turnsOf(request), (turn) => {
        const results = ofType(turn, 'tool_result')
        const again = results.find((block, index) => results.findIndex((other) => idOf(other) === idOf(block)) < index)
        const said = 'each tool_use must have a single result. Found multiple `tool_result` blocks with id:'
        return again && { message: `${again.at}: ${said} ${idOf(again)}` }
      }),
  },
  {
    id: 'anthropic/call-ids-once',
    says: 'No two calls have the same id.',
    source: 'https://github.com/trycua/cua/issues/524',
    check(request) {
      const seen = new Set<unknown>()
      return eachBlock(request, 'tool_use', ({ id }, at) => {
        if (seen.has(id)) return { message: `${at}: \`tool_use\` ids must be unique` }
        seen.add(id)
        return undefined
      })
    },
  },
  {
    id: 'anthropic/call-id-pattern',
    says: 'The id of a call has letters, digits, underscores and dashes.',
    source: 'https://github.com/maximhq/bifrost/issues/5097',
    check: (request) =>
      eachBlock(request, 'tool_use', ({ id }, at) => badId(id, `${at}.tool_use.id`)) ??
      eachBlock(request, 'tool_result', ({ tool_use_id: id }, at) => badId(id, `${at}.tool_result.tool_use_id`)),
  },
]

const blocks: readonly RuleRow[] = [
  {
    id: 'anthropic/input-is-an-object',
    says: 'The input of a call is an object.',
    source: 'https://github.com/anthropics/anthropic-sdk-typescript/issues/648',
    check: (request) =>
      eachBlock(request, 'tool_use', ({ input }, at) =>
        isLoose(input) ? undefined : { message: `${at}.tool_use.input: Input should be a valid dictionary` },
      ),
  },
  {
    id: 'anthropic/error-says-something',
    says: 'A result that is an error has content.',
    source: 'https://github.com/bytedance/trae-agent/issues/230',
    check: (request) =>
      eachBlock(request, 'tool_result', (block, at) => {
        const isMute = block['is_error'] === true && isEmpty(block)
        return isMute ? { message: `${at}.tool_result: content cannot be empty if \`is_error\` is true` } : undefined
      }),
  },
  {
    id: 'anthropic/error-is-text',
    says: 'A result that is an error has text only.',
    source: 'https://github.com/vellum-ai/vellum-assistant/pull/18387',
    check: (request) =>
      eachBlock(request, 'tool_result', ({ is_error: isError, content }, at) => {
        const isMixed = isError === true && looseList(content).some(({ type }) => type !== 'text')
        return isMixed ? { message: `${at}.tool_result: all content must be type \`text\` if \`is_error\` is true` } : undefined
      }),
  },
]

const definitions: readonly RuleRow[] = [
  {
    id: 'anthropic/tool-name',
    says: 'The name of a tool has 1 to 128 letters, digits, underscores and dashes.',
    source: 'https://github.com/home-assistant/core/issues/147760',
    check: (request) =>
      firstComplaint(toolsOf(request), ({ tool, at }) => {
        const isGood = /^[a-zA-Z0-9_-]{1,128}$/.test(String(tool['name']))
        return isGood ? undefined : { message: `${at}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'` }
      }),
  },
  {
    id: 'anthropic/tools-once',
    says: 'No two tools have the same name.',
    source: 'https://github.com/eclipse-theia/theia/issues/16122',
    check(request) {
      const names = toolsOf(request).map(({ tool }) => tool['name'])
      return new Set(names).size < names.length ? { message: 'tools: Tool names must be unique.' } : undefined
    },
  },
  {
    id: 'anthropic/schema-typed',
    says: 'The schema of a tool says that it is an object.',
    source: 'https://github.com/lidge-jun/opencodex/issues/75',
    check: (request) =>
      firstComplaint(toolsOf(request), ({ tool, at }) => {
        const { type } = loose(tool['input_schema'])
        const wrong = type === undefined ? 'Field required' : "Input should be 'object'"
        return type === 'object' ? undefined : { message: `${at}.input_schema.type: ${wrong}` }
      }),
  },
  {
    id: 'anthropic/schema-flat',
    says: 'The schema of a tool has no alternatives at the top.',
    source: 'https://github.com/anthropics/claude-code/issues/5973',
    check: (request) =>
      firstComplaint(toolsOf(request), ({ tool, at }) => {
        const schema = loose(tool['input_schema'])
        const isSplit = ['oneOf', 'allOf', 'anyOf'].some((key) => schema[key] !== undefined)
        return isSplit ? { message: `${at}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level` } : undefined
      }),
  },
]

/** The rows about tools. */
export const anthropicToolRows: readonly RuleRow[] = [...pairing, ...blocks, ...definitions]
