/** What providers warn of, in one form: the versions of the specification name it differently. */
import { jsonText } from '../platform/normalize.ts'
import { withoutSecrets } from '../platform/redaction.ts'
import type { ModelWarning } from '../types/result.ts'

/** How many warnings of a reply are kept, and how many characters of each text are kept and read. */
const most = { warnings: 20, characters: 500, read: 2_000 }

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? shortText(value) : undefined)

/** The beginning of a text without secrets. Read a little further than is kept, so that a secret at the end of it is known. */
const shortText = (text: string): string => withoutSecrets(text.slice(0, most.read)).slice(0, most.characters).toWellFormed()

/** The warnings of a reply; undefined when there are none. A warning in this form stays as it is. */
export function warningsIn(given: unknown): readonly ModelWarning[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined
  return given.slice(0, most.warnings).map(warningOf)
}

function warningOf(given: unknown): ModelWarning {
  const warning = (typeof given === 'object' && given !== null ? given : {}) as { readonly [key: string]: unknown }
  const { name } = (warning['tool'] ?? {}) as { readonly name?: unknown }
  const feature = textIn(warning['feature']) ?? textIn(warning['setting']) ?? textIn(name)
  const type = textIn(warning['type'])?.replace(/^unsupported-.*/, 'unsupported') ?? 'other'
  const said = textIn(warning['message']) ?? textIn(warning['details'])
  const message = said ?? (feature === undefined ? shortText(jsonText(given)) : `The model does not support ${feature} as given.`)
  return { type, ...(feature !== undefined && { feature }), message }
}
