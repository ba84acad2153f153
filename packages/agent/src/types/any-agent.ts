/** An agent as tools and types see it: its name and what it returns, nothing of how it works. */

/** An agent of any dependencies, known by its output. */
export interface AnyAgent<Output = unknown> {
  readonly kind: 'agent'
  /** The name in journals and to other agents. */
  readonly name: string
  /** What the agent is for; shown to agents that may call it. */
  readonly description: string
  /** Only a type. */
  readonly gives?: Output
}

/** Whether a value is an agent. */
export function isAgent(value: unknown): value is AnyAgent {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'agent'
}
