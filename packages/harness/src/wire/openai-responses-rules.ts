/** What OpenAI refuses on responses. */
import { type Exchange, pairing } from './exchanges.ts'
import { type Loose, loose, looseList } from './loose.ts'
import { notAnObject, onParameters, openObject, optionalProperty, type SchemaCheck, tooLong } from './openai-schema.ts'
import { each, firstRefusal, onBody } from './places.ts'
import { unseal } from './seal.ts'
import type { Check, RuleRows, WireRequest } from './wire.ts'

const items = 'input[*]'
const tools = 'tools[*]'

/** What the ids of items begin with. */
const prefixes: Readonly<Record<string, string>> = { function_call: 'fc', message: 'msg', reasoning: 'rs' }

const inputOf = ({ body }: WireRequest): readonly Loose[] => looseList(loose(body)['input'])
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

/** All calls and results of the input, unless some of them are kept elsewhere. */
function exchangesOf(request: WireRequest): readonly Exchange[] {
  const { previous_response_id: previous, conversation } = loose(request.body)
  const known = inputOf(request).map((item) => itemOf(item, request))
  if (previous !== undefined || conversation !== undefined || known.includes(undefined)) return []
  const ofType = (type: string) => known.flatMap((item, index) => (item?.['type'] === type ? [{ id: item['call_id'], index }] : []))
  return [{ index: 0, calls: ofType('function_call'), answers: ofType('function_call_output') }]
}

const { answered, asked } = pairing(exchangesOf)

/** Results and what users say are put in; everything else came out. */
const isOutput = (item: Loose, request: WireRequest): boolean => {
  const { type, role } = itemOf(item, request) ?? item
  return type !== 'function_call_output' && type !== 'reasoning' && (role === undefined || role === 'assistant')
}

const strictFormat = (check: SchemaCheck): Check =>
  each('text.format', ({ name, strict, schema }) => {
    return strict === true && check({ schema, called: `response_format '${name}'`, param: 'text.format.schema', code: 'invalid_json_schema' })
  })

const idCharacters = /^[a-zA-Z0-9_-]+$/

/** The rules of responses. */
export const openaiResponsesRules: RuleRows = {
  'responses/calls-answered': answered(([open]) => ({ message: `No tool output found for function call ${open}.`, param: 'input' })),
  'responses/answers-asked': asked(({ id }) => ({ message: `No tool call found for function call output with call_id ${id}.`, param: 'input' })),
  'responses/reasoning-followed': (request) =>
    firstRefusal(inputOf(request), (item, index) => {
      const next = inputOf(request)[index + 1]
      const isFollowed = next !== undefined && kindOf(next, request) !== 'reasoning' && isOutput(next, request)
      const message = `Item '${item['id']}' of type 'reasoning' was provided without its required following item.`
      return kindOf(item, request) === 'reasoning' && !isFollowed && { message, param: 'input' }
    }),
  'responses/call-id-short': each(items, ({ call_id: id }, at) => tooLong(`${at}.call_id`, id, 64)),
  'responses/id-characters': each(items, ({ id }, at) => {
    const wanted = 'Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.'
    const complaint = { message: `Invalid '${at}.id': '${id}'. ${wanted}`, param: `${at}.id`, code: 'invalid_value' }
    return id !== undefined && id !== null && !idCharacters.test(String(id)) && complaint
  }),
  'responses/id-prefix': each(items, (item, at, request) => {
    const { id } = item
    const prefix = prefixes[kindOf(item, request)]
    if (isReference(item) || typeof id !== 'string' || !idCharacters.test(id) || prefix === undefined || id.startsWith(prefix)) return undefined
    return { message: `Invalid '${at}.id': '${id}'. Expected an ID that begins with '${prefix}'.`, param: `${at}.id`, code: 'invalid_value' }
  }),
  'responses/ids-once': (request) => {
    const ids = inputOf(request).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    const again = ids.find((id, index) => ids.indexOf(id) < index)
    const message = `Duplicate item found with id ${again}. Remove duplicate items from your input and try again.`
    return again !== undefined && { message, param: 'input' }
  },
  'responses/encrypted-untouched': each(items, ({ encrypted_content: content }) => {
    if (typeof content !== 'string' || unseal(content) !== undefined) return undefined
    const shown = `${content.slice(0, 4)}...${content.slice(-4)}`
    return { message: `The encrypted content ${shown} could not be verified.`, code: 'invalid_encrypted_content' }
  }),
  'responses/reference-known': each(items, (item, _, { kept }) => {
    const advice = 'Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.'
    const isLost = isReference(item) && kept !== undefined && !kept.has(String(item['id']))
    return isLost && { message: `Item with id '${item['id']}' not found. ${advice}`, param: 'input', status: 404 }
  }),
  'responses/tool-named': each(tools, ({ type, name }, at) => {
    const complaint = { message: `Missing required parameter: '${at}.name'.`, param: `${at}.name`, code: 'missing_required_parameter' }
    return type === 'function' && typeof name !== 'string' && complaint
  }),
  'responses/parameters-are-an-object': onParameters(notAnObject, tools, 'all'),
  'responses/strict-tool-closed': onParameters(openObject, tools, 'strict'),
  'responses/strict-tool-required': onParameters(optionalProperty, tools, 'strict'),
  'responses/strict-format-closed': strictFormat(openObject),
  'responses/strict-format-required': strictFormat(optionalProperty),
  'responses/output-not-tiny': onBody(({ max_output_tokens: most }) => {
    const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${most} instead.`
    return typeof most === 'number' && most < 16 && { message, param: 'max_output_tokens', code: 'integer_below_min_value' }
  }),
}
