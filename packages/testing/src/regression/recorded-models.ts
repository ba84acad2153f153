/** Which model each run had. */
import type { LoomEvent } from '@loom-agent/kernel'

/** The id of the model of each run: the one that was called, where it was another than the run was started with. */
export function modelsIn(events: readonly LoomEvent[]): ReadonlyMap<string, string> {
  const models = new Map<string, string>()
  const called = new Set<string>()
  for (const event of events) {
    if ((event.type === 'run.started' || event.type === 'run.queued') && 'request' in event.data) models.set(event.data.run, event.data.request.model)
    if (event.type !== 'model.requested' || event.run === undefined || called.has(event.run)) continue
    called.add(event.run)
    if (event.data.model !== undefined) models.set(event.run, event.data.model)
  }
  return models
}
