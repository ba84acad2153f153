/**
 * What code supplies to one run in this process.
 *
 * RUN-3. It is registered before any reader can see that the run has started. Starts that race for the same run id do not overwrite each other's.
 */
import type { RunOptions, RunOverrides } from '../definition/agent-options.ts'
import type { Runtime } from '../thread/runtime.ts'

/** The overrides of one start or resumption. */
export interface Overrides {
  /** The run is about to start under this `runKey`, unless another caller is faster. */
  propose(run: string): void
  /** The proposed run has started. */
  settle(): void
  /** It has not. */
  withdraw(): void
}

/** The overrides that the options of a run give. */
export function createOverrides(runtime: Runtime, { deps, model, tools }: RunOptions<never>): Overrides {
  const { overrides, left } = runtime
  const given: RunOverrides = { ...(deps !== undefined && { deps }), ...(model !== undefined && { model }), ...(tools !== undefined && { tools }) }
  const isEmpty = Object.keys(given).length === 0
  let key: string | undefined
  const withdraw = (): void => {
    if (key !== undefined && overrides.get(key) === given) overrides.delete(key)
  }
  return {
    propose(run) {
      withdraw()
      key = run
      if (!isEmpty && !overrides.has(key)) overrides.set(key, given)
    },
    settle() {
      if (isEmpty || key === undefined) return
      overrides.set(key, given)
      left.delete(key)
      if (left.size > 0) void import('./left-runs.ts').then(({ lookAtLeft }) => lookAtLeft(runtime))
    },
    withdraw,
  }
}
