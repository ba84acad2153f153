/** What Google refuses on generateContent. */
import { googleToolRows } from './google-tool-rules.ts'
import { isLoose, type Loose, loose, looseList } from './loose.ts'
import { unseal } from './seal.ts'
import { type Complaint, firstComplaint, type RuleRow, rulesOf, type WireRequest, type WireRule } from './wire.ts'

const contentsOf = (request: WireRequest): readonly Loose[] => looseList(loose(request.body)['contents'])
const partsOf = (content: Loose | undefined): readonly Loose[] => looseList(content?.['parts'])
const withKey = (content: Loose | undefined, key: string): readonly Loose[] => partsOf(content).filter((part) => part[key] !== undefined)
const callsOf = (content: Loose | undefined): readonly Loose[] => withKey(content, 'functionCall')
const answersOf = (content: Loose | undefined): readonly Loose[] => withKey(content, 'functionResponse')

const eachPart = (request: WireRequest, check: (part: Loose, at: string) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(contentsOf(request), (content, index) =>
    firstComplaint(partsOf(content), (part, nth) => check(part, `contents[${index}].parts[${nth}]`)),
  )

/** Models from 3 on want the signatures of their thoughts back. */
const signs = ({ path }: WireRequest): boolean => /gemini-3/.test(path)

/** Values that Google names for calls that it did not make itself. */
const bypasses: readonly unknown[] = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']

/** Text, data, a call or anything else: a part without any of them is blank. An empty text may carry a signature. */
function isBlank({ text, thought: _thought, thoughtSignature, ...rest }: Loose): boolean {
  return Object.keys(rest).length === 0 && (text === undefined || (text === '' && thoughtSignature === undefined))
}

const blankPart = (part: Loose, at: string): Complaint | undefined => {
  const said = `* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field\n`
  return isBlank(part) ? { message: said } : undefined
}

const contents: readonly RuleRow[] = [
  {
    id: 'google/contents-present',
    says: 'A request has contents.',
    source: 'https://github.com/googleapis/js-genai/issues/912',
    check: (request) =>
      contentsOf(request).length === 0 ? { message: '* GenerateContentRequest.contents: contents is not specified\n' } : undefined,
  },
  {
    id: 'google/role',
    says: 'Contents are of the user or of the model.',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/2791',
    check: (request) =>
      firstComplaint(contentsOf(request), ({ role }) =>
        role === undefined || role === 'user' || role === 'model' ? undefined : { message: 'Please use a valid role: user, model.' },
      ),
  },
  {
    id: 'google/parts-present',
    says: 'Every content has parts.',
    source: 'https://github.com/egoist/chatwise-releases/issues/250',
    check: (request) =>
      firstComplaint(contentsOf(request), (content, index) => {
        const said = `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`
        return partsOf(content).length === 0 ? { message: said } : undefined
      }),
  },
  {
    id: 'google/part-filled',
    says: 'Every part holds something.',
    source: 'https://github.com/router-for-me/CLIProxyAPI/issues/1292',
    check: (request) => eachPart(request, blankPart),
  },
  {
    id: 'google/system-filled',
    says: 'Every part of the instruction holds something.',
    source: 'https://github.com/songquanpeng/one-api/issues/2243',
    check: (request) =>
      firstComplaint(partsOf(loose(loose(request.body)['systemInstruction'])), (part, nth) => blankPart(part, `system_instruction.parts[${nth}]`)),
  },
]

const calls: readonly RuleRow[] = [
  {
    id: 'google/call-after-user',
    says: 'A turn with calls comes right after the user or after results.',
    source: 'https://github.com/google-gemini/gemini-cli/issues/11814',
    check(request) {
      const all = contentsOf(request)
      return firstComplaint(all, (content, index) => {
        const isMisplaced = callsOf(content).length > 0 && (all[index - 1]?.['role'] ?? 'model') === 'model'
        const said = 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
        return isMisplaced ? { message: said } : undefined
      })
    },
  },
  {
    id: 'google/answer-after-call',
    says: 'A turn with results comes right after the calls.',
    source: 'https://github.com/langchain-ai/langchain/issues/27799',
    check(request) {
      const all = contentsOf(request)
      return firstComplaint(all, (content, index) => {
        const isStray = answersOf(content).length > 0 && callsOf(all[index - 1]).length === 0
        return isStray ? { message: 'Please ensure that function response turn comes immediately after a function call turn.' } : undefined
      })
    },
  },
  {
    id: 'google/answers-counted',
    says: 'There are as many results as calls.',
    source: 'https://github.com/google-gemini/gemini-cli/issues/16415',
    check(request) {
      const all = contentsOf(request)
      return firstComplaint(all, (content, index) => {
        const asked = callsOf(content).length
        const said =
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
        return asked > 0 && asked !== answersOf(all[index + 1]).length ? { message: said } : undefined
      })
    },
  },
  {
    id: 'google/answer-is-an-object',
    says: 'A result is an object.',
    source: 'https://github.com/vercel/ai/pull/3589',
    check: (request) =>
      eachPart(request, ({ functionResponse }, at) => {
        const { response } = loose(functionResponse)
        if (functionResponse === undefined || isLoose(response)) return undefined
        const place = `'${at}.function_response`
        const list = `Invalid JSON payload received. Unknown name "response" at ${place}': Proto field is not repeating, cannot start list.`
        const scalar = `Invalid value at ${place}.response' (type.googleapis.com/google.protobuf.Struct), ${JSON.stringify(response)}`
        return { message: Array.isArray(response) ? list : scalar }
      }),
  },
  {
    id: 'google/call-signed',
    says: 'A model that signs its calls gets each turn of this exchange back with the signature of its first call.',
    source: 'https://github.com/lbjlaq/Antigravity-Manager/issues/139',
    check(request) {
      const all = contentsOf(request)
      const asked = all.findLastIndex((content) => content['role'] === 'user' && answersOf(content).length < partsOf(content).length)
      return firstComplaint(all, (content, index) => {
        const first = callsOf(content)[0]
        if (!signs(request) || index < asked || !first || first['thoughtSignature'] !== undefined) return undefined
        const why = 'This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.'
        const data = `Additional data, function call \`default_api:${loose(first['functionCall'])['name']}\` , position ${index + 1}.`
        const advice = 'Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.'
        return { message: `Function call is missing a thought_signature in functionCall parts. ${why} ${data} ${advice}` }
      })
    },
  },
  {
    id: 'google/signature-untouched',
    says: 'A signature comes back as it was given.',
    source: 'https://github.com/google-gemini/gemini-cli/issues/13467',
    check: (request) =>
      eachPart(request, ({ thoughtSignature: signature }) => {
        const isGiven = signature === undefined || bypasses.includes(signature) || unseal(signature) !== undefined
        return isGiven ? undefined : { message: 'Corrupted thought signature.' }
      }),
  },
]

/** The rules of generateContent. */
export const googleRules: readonly WireRule[] = rulesOf('google', [...contents, ...calls, ...googleToolRows])
