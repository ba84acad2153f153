/** The tool with which a model reads a result again: one that it was shown in part, or is not shown any more. */
import { jsonSchema } from '../types/schema.ts'
import type { ErasedDefinition } from './define.ts'
import type { ReadMoreInput } from './read-more.ts'
import { workOf } from './thread-record.ts'
import { type ReadMoreListing, type ReadyTool, readyTool, type Toolbox } from './toolbox.ts'

/** The name that models call it by. A tool of the user's with this name takes its place. */
export const readMoreName = 'read_more'

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
      return readMore(input as ReadMoreInput, workOf(context))
    },
  }
}

let defined: ReadMoreDefinition | undefined

/** The tool, as a toolbox has it. */
export function readMoreTool(): ReadyTool {
  defined ??= define()
  return readyTool(readMoreName, defined)
}

/** Whether a definition is that of the tool, or was made of it. */
const isReadMore = (definition: ErasedDefinition): boolean => 'readsMore' in definition

const known = new WeakMap<Toolbox, Toolbox>()

/** The toolbox with the tool at its end, where it is listed and no tool of the user's has its name. One toolbox always gives the same. */
export function withReadMore(toolbox: Toolbox, listing: ReadMoreListing): Toolbox {
  const made = known.get(toolbox) ?? listed(toolbox, listing)
  known.set(toolbox, made)
  return made
}

function listed(toolbox: Toolbox, listing: ReadMoreListing): Toolbox {
  const { tools, specs } = toolbox
  const own = tools.get(readMoreName)
  if (own) return { ...toolbox, readsMore: isReadMore(own.definition) }
  if (listing === 'beside tools' && tools.size === 0) return toolbox
  const tool = readMoreTool()
  return { ...toolbox, tools: new Map([...tools, [readMoreName, tool]]), specs: [...specs, tool.spec], readsMore: true }
}
