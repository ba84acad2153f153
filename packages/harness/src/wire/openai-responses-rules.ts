/** What OpenAI refuses on responses. */
import { type Loose, loose, looseList } from './loose.ts'
import { notAnObject, openObject, optionalProperty, type SchemaOwner } from './openai-schema.ts'
import { unseal } from './seal.ts'
import { type Complaint, firstComplaint, type RuleRow, rulesOf, type WireRequest, type WireRule } from './wire.ts'

/** What the ids of items begin with. */
const prefixes: Readonly<Record<string, string>> = { function_call: 'fc', message: 'msg', reasoning: 'rs' }

const bodyOf = (request: WireRequest): Loose => loose(request.body)
const inputOf = (request: WireRequest): readonly Loose[] => looseList(bodyOf(request)['input'])
const isReference = ({ type }: Loose): boolean => type === 'item_reference'

/** The item itself, where a reference to it can be followed. */
const itemOf = (item: Loose, { kept }: WireRequest): Loose | undefined => (isReference(item) ? kept?.get(String(item['id'])) : item)

/** What kind of item it is; a reference shows it by its id. */
function kindOf(item: Loose, request: WireRequest): string {
  const { type, role } = itemOf(item, request) ?? {}
  if (typeof type === 'string') return type
  if (role !== undefined) return 'message'
  return Object.keys(prefixes).find((kind) => String(item['id']).startsWith(`${prefixes[kind]}_`)) ?? ''
}

/** The calls and their results, unless some of them are kept elsewhere. */
function pairsOf(request: WireRequest): { readonly calls: readonly Loose[]; readonly results: readonly Loose[] } | undefined {
  const { previous_response_id: previous, conversation } = bodyOf(request)
  const items = inputOf(request).map((item) => itemOf(item, request))
  if (previous !== undefined || conversation !== undefined || items.includes(undefined)) return undefined
  const known = items.filter((item) => item !== undefined)
  return { calls: known.filter(({ type }) => type === 'function_call'), results: known.filter(({ type }) => type === 'function_call_output') }
}

const idsOf = (items: readonly Loose[]): ReadonlySet<unknown> => new Set(items.map(({ call_id: id }) => id))

/** Results and what users say are put in; everything else came out. */
const isOutput = (item: Loose, request: WireRequest): boolean => {
  const { type, role } = itemOf(item, request) ?? item
  return type !== 'function_call_output' && type !== 'reasoning' && (role === undefined || role === 'assistant')
}

const eachItem = (request: WireRequest, check: (item: Loose, at: string) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(inputOf(request), (item, index) => check(item, `input[${index}]`))

type SchemaCheck = (schema: unknown, owner: SchemaOwner, tool: Loose) => Complaint | undefined

const eachTool = (request: WireRequest, check: SchemaCheck): Complaint | undefined =>
  firstComplaint(looseList(bodyOf(request)['tools']), (tool, index) => {
    const owner = { called: `function '${tool['name']}'`, param: `tools[${index}].parameters`, code: 'invalid_function_parameters' }
    return tool['type'] === 'function' ? check(tool['parameters'], owner, tool) : undefined
  })

const eachStrictTool = (request: WireRequest, check: SchemaCheck): Complaint | undefined =>
  eachTool(request, (schema, owner, tool) => (tool['strict'] === true ? check(schema, owner, tool) : undefined))

const strictFormat = (request: WireRequest, check: (schema: unknown, owner: SchemaOwner) => Complaint | undefined): Complaint | undefined => {
  const { name, strict, schema } = loose(loose(bodyOf(request)['text'])['format'])
  const owner = { called: `response_format '${name}'`, param: 'text.format.schema', code: 'invalid_json_schema' }
  return strict === true ? check(schema, owner) : undefined
}

const pairing: readonly RuleRow[] = [
  {
    id: 'responses/calls-answered',
    says: 'Every call has its result in the input.',
    source: 'https://github.com/openai/codex/issues/93',
    check: (request) => {
      const { calls = [], results = [] } = pairsOf(request) ?? {}
      const answered = idsOf(results)
      const open = calls.find((call) => !answered.has(call['call_id']))
      return open && { message: `No tool output found for function call ${open['call_id']}.`, param: 'input' }
    },
  },
  {
    id: 'responses/answers-asked',
    says: 'Every result belongs to a call in the input.',
    source: 'https://github.com/james-6-23/codex2api/issues/414',
    check: (request) => {
      const { calls = [], results = [] } = pairsOf(request) ?? {}
      const asked = idsOf(calls)
      const stray = results.find((result) => !asked.has(result['call_id']))
      return stray && { message: `No tool call found for function call output with call_id ${stray['call_id']}.`, param: 'input' }
    },
  },
  {
    id: 'responses/reasoning-followed',
    says: 'Reasoning is followed by what came of it.',
    source: 'https://github.com/continuedev/continue/issues/8933',
    check: (request) => {
      const items = inputOf(request)
      return firstComplaint(items, (item, index) => {
        if (kindOf(item, request) !== 'reasoning') return undefined
        const next = items[index + 1]
        const isFollowed = next !== undefined && kindOf(next, request) !== 'reasoning' && isOutput(next, request)
        const said = `Item '${item['id']}' of type 'reasoning' was provided without its required following item.`
        return isFollowed ? undefined : { message: said, param: 'input' }
      })
    },
  },
  {
    id: 'responses/call-id-short',
    says: 'The id of a call has at most 64 characters.',
    source: 'https://github.com/openclaw/openclaw/pull/875',
    check: (request) =>
      eachItem(request, ({ call_id: id }, at) => {
        const length = String(id).length
        const said = `Invalid '${at}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${length} instead.`
        return length > 64 ? { message: said, param: `${at}.call_id`, code: 'string_above_max_length' } : undefined
      }),
  },
]

const idCharacters = /^[a-zA-Z0-9_-]+$/

const items: readonly RuleRow[] = [
  {
    id: 'responses/id-characters',
    says: 'The id of an item has letters, digits, underscores and dashes.',
    source: 'https://github.com/anomalyco/opencode/issues/25065',
    check: (request) =>
      eachItem(request, ({ id }, at) => {
        if (id === undefined || id === null || idCharacters.test(String(id))) return undefined
        const wanted = 'Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.'
        return { message: `Invalid '${at}.id': '${id}'. ${wanted}`, param: `${at}.id`, code: 'invalid_value' }
      }),
  },
  {
    id: 'responses/id-prefix',
    says: 'The id of an item begins as its type asks.',
    source: 'https://github.com/continuedev/continue/issues/11494',
    check: (request) =>
      eachItem(request, (item, at) => {
        const { id } = item
        const prefix = prefixes[kindOf(item, request)]
        if (isReference(item) || typeof id !== 'string' || !idCharacters.test(id) || prefix === undefined || id.startsWith(prefix)) return undefined
        return { message: `Invalid '${at}.id': '${id}'. Expected an ID that begins with '${prefix}'.`, param: `${at}.id`, code: 'invalid_value' }
      }),
  },
  {
    id: 'responses/ids-once',
    says: 'No item comes twice.',
    source: 'https://github.com/vercel/ai/issues/7883',
    check: (request) => {
      const seen = new Set<unknown>()
      const again = inputOf(request).find(({ id }) => typeof id === 'string' && seen.size === seen.add(id).size)?.['id']
      return again === undefined
        ? undefined
        : { message: `Duplicate item found with id ${again}. Remove duplicate items from your input and try again.`, param: 'input' }
    },
  },
  {
    id: 'responses/encrypted-untouched',
    says: 'Encrypted reasoning comes back as it was given.',
    source: 'https://github.com/openai/codex/issues/8145',
    check: (request) =>
      eachItem(request, (item) => {
        const content = item['encrypted_content']
        if (typeof content !== 'string' || unseal(content) !== undefined) return undefined
        const shown = `${content.slice(0, 4)}...${content.slice(-4)}`
        return { message: `The encrypted content ${shown} could not be verified.`, code: 'invalid_encrypted_content' }
      }),
  },
  {
    id: 'responses/reference-known',
    says: 'A reference names an item that is kept.',
    source: 'https://github.com/vercel/ai/issues/7543',
    status: 404,
    check: (request) =>
      eachItem(request, (item) => {
        if (!isReference(item) || request.kept === undefined || request.kept.has(String(item['id']))) return undefined
        const advice =
          'Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.'
        return { message: `Item with id '${item['id']}' not found. ${advice}`, param: 'input' }
      }),
  },
]

const settings: readonly RuleRow[] = [
  {
    id: 'responses/tool-named',
    says: 'A tool has its name at the top, not inside a function.',
    source: 'https://github.com/microsoft/autogen/issues/6935',
    check: (request) =>
      firstComplaint(looseList(bodyOf(request)['tools']), ({ type, name }, index) => {
        const param = `tools[${index}].name`
        const isNameless = type === 'function' && typeof name !== 'string'
        return isNameless ? { message: `Missing required parameter: '${param}'.`, param, code: 'missing_required_parameter' } : undefined
      }),
  },
  {
    id: 'responses/parameters-are-an-object',
    says: 'The schema of parameters is an object.',
    source: 'https://github.com/anomalyco/opencode/issues/35516',
    check: (request) => eachTool(request, notAnObject),
  },
  {
    id: 'responses/strict-tool-closed',
    says: 'The objects of a strict tool allow nothing else.',
    source: 'https://github.com/bytedance/trae-agent/issues/173',
    check: (request) => eachStrictTool(request, openObject),
  },
  {
    id: 'responses/strict-tool-required',
    says: 'A strict tool has no optional parameters.',
    source: 'https://github.com/kevinwatt/mysql-mcp/issues/5',
    check: (request) => eachStrictTool(request, optionalProperty),
  },
  {
    id: 'responses/strict-format-closed',
    says: 'The objects of a strict answer allow nothing else.',
    source: 'https://github.com/simonw/llm-openai-plugin/issues/3',
    check: (request) => strictFormat(request, openObject),
  },
  {
    id: 'responses/strict-format-required',
    says: 'A strict answer has no optional properties.',
    source: 'https://github.com/bingoYB/ham_home/issues/16',
    check: (request) => strictFormat(request, optionalProperty),
  },
  {
    id: 'responses/output-not-tiny',
    says: 'An answer may have at least 16 tokens.',
    source: 'https://github.com/vectorize-io/hindsight/issues/58',
    check: (request) => {
      const { max_output_tokens: most } = bodyOf(request)
      const said = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`
      const isTiny = typeof most === 'number' && most < 16
      return isTiny ? { message: said, param: 'max_output_tokens', code: 'integer_below_min_value' } : undefined
    },
  },
]

/** The rules of responses. */
export const openaiResponsesRules: readonly WireRule[] = rulesOf('openai-responses', [...pairing, ...items, ...settings])
