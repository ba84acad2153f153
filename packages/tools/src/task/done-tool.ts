/** The end of a run, as a tool. */
import { jsonSchema, type Tool, tool } from '@loom-agent/agent'

interface DoneInput {
  readonly summary?: string
}

const schema = jsonSchema<DoneInput>({
  type: 'object',
  properties: { summary: { type: 'string', maxLength: 4000, description: 'What was done, and what was not.' } },
  additionalProperties: false,
})

/**
 * The tool `done`, through which alone a run ends with `behaviour: { requireDone: 'done' }`: a reply without calls is then answered by one reminder.
 *
 * @example
 * agent({ name: 'worker', model, tools: [doneTool()], behaviour: { requireDone: 'done' } })
 */
export function doneTool(): Tool {
  return tool({
    name: 'done',
    description: 'Call this when the task is finished, and not before.',
    input: schema,
    effect: 'pure',
    run: ({ summary }) => (summary === undefined || summary.trim() === '' ? 'Noted: the task is finished.' : summary),
  })
}
