/** What Google refuses on generateContent. */
import { isLoose, type Loose, loose, looseList } from './loose.ts'
import { each, firstRefusal, onBody } from './places.ts'
import { unseal } from './seal.ts'
import type { Check, Refusal, RuleRows } from './wire.ts'

const parts = 'contents[*].parts[*]'

const partsOf = (content: Loose | undefined): readonly Loose[] => looseList(content?.['parts'])
const callsOf = (content: Loose | undefined): readonly Loose[] => partsOf(content).filter(({ functionCall }) => functionCall !== undefined)
const answersOf = (content: Loose | undefined): readonly Loose[] => partsOf(content).filter(({ functionResponse }) => functionResponse !== undefined)

/** Checks every content among the others. */
const eachContent = (check: (content: Loose, index: number, all: readonly Loose[]) => Refusal): Check =>
  onBody(({ contents }) => {
    const all = looseList(contents)
    return firstRefusal(all, (content, index) => check(content, index, all))
  })

/** Values that Google names for calls that it did not make itself. */
const bypasses: readonly unknown[] = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** A part without text, data, a call or anything else is blank. An empty text may carry a signature. */
function blankPart({ text, thought: _thought, thoughtSignature, ...rest }: Loose, at: string): Refusal {
  const isBlank = Object.keys(rest).length === 0 && (text === undefined || (text === '' && thoughtSignature === undefined))
  return isBlank && `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field\n`
}

/** The rules of generateContent. */
export const googleRules: RuleRows = {
  'google/contents-present': onBody(
    ({ contents }) => looseList(contents).length === 0 && '* GenerateContentRequest.contents: contents is not specified\n',
  ),
  'google/role': each('contents[*]', ({ role }) => ![undefined, 'user', 'model'].includes(role as string) && 'Please use a valid role: user, model.'),
  'google/parts-present': each('contents[*]', (content, at) => {
    return partsOf(content).length === 0 && `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.\n`
  }),
  'google/part-filled': each(parts, blankPart),
  'google/system-filled': each('systemInstruction.parts[*]', (part, at) => blankPart(part, at.replace('systemInstruction', 'system_instruction'))),
  'google/call-after-user': eachContent((content, index, all) => {
    const isMisplaced = callsOf(content).length > 0 && (all[index - 1]?.['role'] ?? 'model') === 'model'
    return isMisplaced && 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
  }),
  'google/answer-after-call': eachContent((content, index, all) => {
    const isStray = answersOf(content).length > 0 && callsOf(all[index - 1]).length === 0
    return isStray && 'Please ensure that function response turn comes immediately after a function call turn.'
  }),
  'google/answers-counted': eachContent((content, index, all) => {
    const asked = callsOf(content).length
    const rule = 'the number of function response parts is equal to the number of function call parts of the function call turn.'
    return asked > 0 && asked !== answersOf(all[index + 1]).length && `Please ensure that ${rule}`
  }),
  'google/answer-is-an-object': each(parts, ({ functionResponse }, at) => {
    const { response } = loose(functionResponse)
    if (functionResponse === undefined || isLoose(response)) return undefined
    const place = `'${at}.function_response`
    const list = `Invalid JSON payload received. Unknown name "response" at ${place}': Proto field is not repeating, cannot start list.`
    const scalar = `Invalid value at ${place}.response' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(response)}`
    return Array.isArray(response) ? list : scalar
  }),
  // Models from 3 on sign their calls: each turn of this exchange comes back with the signature of its first call.
  'google/call-signed': (request) =>
    /gemini-3/.test(request.path) &&
    eachContent((content, index, all) => {
      const asked = all.findLastIndex((one) => one['role'] === 'user' && answersOf(one).length < partsOf(one).length)
      const [first] = index < asked ? [] : callsOf(content)
      if (!first || first['thoughtSignature'] !== undefined) return undefined
      const why = 'This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'
      const data = `Additional data, function call \`default_api:${loose(first['functionCall'])['name']}\` , position ${index + 1}.`
      const advice = 'Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
      return `Function call is missing a thought_signature in functionCall parts. ${why} ${data} ${advice}`
    })(request),
  'google/signature-untouched': each(parts, ({ thoughtSignature: signature }) => {
    const isGiven = signature === undefined || bypasses.includes(signature) || unseal(signature) !== undefined
    return !isGiven && 'Corrupted thought signature.'
  }),
}
