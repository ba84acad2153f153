/** Which threads are listed: the query of the address, as the server takes it. */

/** Statuses that can be asked for. */
export const listedStatuses = ['running', 'waiting', 'failed', 'done', 'stopped', 'idle', 'partial'] as const

/** A choice of threads. */
export interface ThreadFilter {
  readonly status: (typeof listedStatuses)[number] | undefined
  readonly agent: string | undefined
  /** Whether the threads of children are listed, too. */
  readonly children: boolean
}

/** Reads the choice from an address. */
export function filterOf(query: URLSearchParams): ThreadFilter {
  return {
    status: listedStatuses.find((status) => status === query.get('status')),
    agent: query.get('agent') ?? undefined,
    children: query.get('children') === 'yes',
  }
}

/** The choice as a query of an address. */
export const queryOf = ({ status, agent, children }: ThreadFilter): { readonly [name: string]: string | undefined } => ({
  status,
  agent,
  children: children ? 'yes' : undefined,
})
