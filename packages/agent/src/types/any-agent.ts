/** An agent as tools and types see it: its name, what it returns and what it needs, nothing of how it works. */

/** An agent, known by its output and by the dependencies that its parent must have for it; by default those may be any. */
export interface AnyAgent<Output = unknown, Needs = never> {
  readonly kind: 'agent'
  /** The name in journals and to other agents. */
  readonly name: string
  /** What the agent is for; shown to agents that may call it. */
  readonly description: string
  /** Only a type. */
  readonly gives?: Output
  /** Only a type: what the agent needs of the dependencies of its parent. */
  readonly needs?: (deps: Needs) => void
}

/** Whether a value is an agent. */
export function isAgent(value: unknown): value is AnyAgent {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'agent'
}
