/** An agent as a tool: a durable body that runs the agent as a child. */
import type { AnyAgent } from '../types/any-agent.ts'
import { jsonSchema } from '../types/schema.ts'
import type { ErasedDefinition } from './define.ts'

const input = jsonSchema<{ prompt: string }>({
  type: 'object',
  properties: { prompt: { type: 'string', description: 'The task, with everything the agent needs to know.' } },
  required: ['prompt'],
})

/** The definition of a tool that is an agent. */
interface AgentToolDefinition extends ErasedDefinition {
  readonly agent: AnyAgent
}

/** Whether a tool is an agent: its call has one child. */
export function isAgentTool(definition: ErasedDefinition): definition is AgentToolDefinition {
  return 'agent' in definition
}

/** The tool that an agent is to other agents. */
export function agentTool(agent: AnyAgent): AgentToolDefinition {
  const description = agent.description || `Hands a task to the agent ${agent.name}.`
  return {
    agent,
    description,
    input,
    effect: 'idempotent',
    durable: true,
    schedule: { parallel: true },
    async run(value, context) {
      // What the agent needs was compared with what its parent has where it was put among the tools.
      const result = await context.run(agent as AnyAgent<unknown, unknown>, (value as { prompt: string }).prompt)
      switch (result.status) {
        case 'done':
          return typeof result.output === 'string' ? result.text : result.output
        case 'stopped': {
          // Loaded on use: most children are done.
          const { withStopNote } = await import('./stop-note.ts')
          return withStopNote(agent.name, result)
        }
        case 'failed':
          throw new Error(`The agent ${agent.name} failed: ${result.error.message}`)
      }
    },
  }
}
