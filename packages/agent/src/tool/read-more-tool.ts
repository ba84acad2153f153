/** The tool with which a model reads a result again: one that it was shown in part, or is not shown any more. */
import { jsonSchema } from '../types/schema.ts'
import type { ErasedDefinition } from './define.ts'
import type { ReadMoreInput } from './read-more.ts'
import { recordOf } from './thread-record.ts'

/** The name that models call it by. A tool of the user's with this name takes its place. */
export const readMoreName = 'read_more'

/** When it is listed: never, always, or beside other tools. */
export type ReadMoreListing = 'never' | 'always' | 'beside tools'

/** Its definition, which is known by this field: only Loom has it (BAND-1). */
interface ReadMoreDefinition extends ErasedDefinition {
  readonly readsMore: true
}

const schema = {
  type: 'object',
  properties: {
    call: { type: 'string', description: 'The id of the call, such as 3.0.' },
    offset: { type: 'integer', minimum: 0, description: 'The first character.' },
    limit: { type: 'integer', minimum: 1, description: 'The most characters.' },
    find: { type: 'string', minLength: 1, description: 'Shows the places with this text.' },
  },
  required: ['call'],
  additionalProperties: false,
} as const

/** Makes the definition. Made where it is listed: importing does no work. */
function define(): ReadMoreDefinition {
  return {
    readsMore: true,
    description: 'Reads the result of an earlier call of this conversation, also where it was cut, left out or summarized.',
    input: jsonSchema<ReadMoreInput>(schema),
    effect: 'read',
    async run(input, context) {
      // Loaded on use: few results are read again.
      const { readMore } = await import('./read-more.ts')
      return readMore(input as ReadMoreInput, recordOf(context))
    },
  }
}

let defined: ReadMoreDefinition | undefined

/** The tool, as a toolbox takes it. */
export function readMoreDefinition(): ErasedDefinition {
  defined ??= define()
  return defined
}

/** Whether a definition is that of the tool, or was made of it. */
export function isReadMore(definition: ErasedDefinition | undefined): boolean {
  return definition !== undefined && 'readsMore' in definition
}
