/** What Google refuses about the functions that a model may call. */
import { type Loose, loose, looseList } from './loose.ts'
import { isOfType, type SchemaNode, schemaNodes } from './schema-nodes.ts'
import { type Complaint, firstComplaint, type RuleRow, type WireRequest } from './wire.ts'

interface Declared {
  readonly declared: Loose
  /** As the vendor writes it. */
  readonly at: string
}

const declarationsOf = (request: WireRequest): readonly Declared[] =>
  looseList(loose(request.body)['tools']).flatMap((tool, index) =>
    looseList(tool['functionDeclarations']).map((declared, nth) => ({ declared, at: `tools[${index}].function_declarations[${nth}]` })),
  )

/** Looks at every schema inside `parameters`, which takes a part of JSON Schema only. `parametersJsonSchema` takes all of it. */
const eachSchema = (request: WireRequest, check: (found: SchemaNode, at: string) => Complaint | undefined): Complaint | undefined =>
  firstComplaint(declarationsOf(request), ({ declared, at }) =>
    firstComplaint(schemaNodes(declared['parameters']), (found) => check(found, `${at}.parameters${placeOf(found.path)}`)),
  )

/** A path as the vendor writes it: `.properties[tags].items`. */
const placeOf = (path: readonly string[]): string =>
  path.reduce((place, key, index) => (path[index - 1] === 'properties' || /^\d+$/.test(key) ? `${place}[${key}]` : `${place}.${key}`), '')

const knownKeys: ReadonlySet<string> = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'properties', 'required', 'anyOf', 'propertyOrdering', 'default'],
  ...['maxItems', 'minItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'minimum', 'maximum'],
])

const knownTypes: ReadonlySet<string> = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'])

/** The rows about functions. */
export const googleToolRows: readonly RuleRow[] = [
  {
    id: 'google/function-name',
    says: 'The name of a function begins with a letter or an underscore and has at most 64 characters.',
    source: 'https://github.com/google-gemini/gemini-cli/issues/7869',
    check: (request) =>
      firstComplaint(declarationsOf(request), ({ declared, at }) => {
        const wanted =
          'Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), ' +
          'with a maximum length of 64.'
        const isGood = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(declared['name']))
        return isGood ? undefined : { message: `* GenerateContentRequest.${at}.name: Invalid function name. ${wanted}\n` }
      }),
  },
  {
    id: 'google/schema-keys',
    says: 'A schema has only the keywords that the vendor knows.',
    source: 'https://github.com/BerriAI/litellm/issues/14330',
    check: (request) =>
      eachSchema(request, ({ node }, at) => {
        const key = Object.keys(node).find((name) => !knownKeys.has(name))
        return key === undefined ? undefined : { message: `Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.` }
      }),
  },
  {
    id: 'google/schema-one-type',
    says: 'A schema has one type.',
    source: 'https://github.com/zed-industries/zed/issues/53919',
    check: (request) =>
      eachSchema(request, ({ node }, at) => {
        const said = `Invalid JSON payload received. Unknown name "type" at '${at}': Proto field is not repeating, cannot start list.`
        return Array.isArray(node['type']) ? { message: said } : undefined
      }),
  },
  {
    id: 'google/schema-type-known',
    says: 'The type of a schema is one that the vendor knows.',
    source: 'https://github.com/agno-agi/agno/issues/2649',
    check: (request) =>
      eachSchema(request, ({ node: { type } }, at) => {
        const said = `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${type}"`
        return typeof type === 'string' && !knownTypes.has(type.toUpperCase()) ? { message: said } : undefined
      }),
  },
  {
    id: 'google/arrays-have-items',
    says: 'An array in a schema says what is in it.',
    source: 'https://github.com/kkrishnan90/gemini-desktop/pull/7',
    check: (request) =>
      eachSchema(request, ({ node }, at) => {
        const isBare = isOfType(node, 'array') && node['items'] === undefined
        return isBare ? { message: `* GenerateContentRequest.${at}.items: missing field.\n` } : undefined
      }),
  },
  {
    id: 'google/objects-have-properties',
    says: 'An object in a schema has properties.',
    source: 'https://github.com/agno-agi/agno/issues/2112',
    check: (request) =>
      eachSchema(request, ({ node }, at) => {
        const isBare = isOfType(node, 'object') && Object.keys(loose(node['properties'])).length === 0
        return isBare ? { message: `* GenerateContentRequest.${at}.properties: should be non-empty for OBJECT type\n` } : undefined
      }),
  },
  {
    id: 'google/json-without-functions',
    says: 'A model before 3 answers in JSON or calls functions, not both.',
    source: 'https://github.com/google-gemini/deprecated-generative-ai-swift/issues/195',
    check(request) {
      const { responseMimeType: type } = loose(loose(request.body)['generationConfig'])
      const isBoth = type === 'application/json' && declarationsOf(request).length > 0 && !/gemini-3/.test(request.path)
      return isBoth ? { message: "Function calling with a response mime type: 'application/json' is unsupported" } : undefined
    },
  },
]
