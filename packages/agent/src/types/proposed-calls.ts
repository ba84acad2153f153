/** The calls that a reply proposes, under Loom's own ids. */
import type { CallPart, LoomEvent } from '@loom-agent/kernel'

/** Each call of a reply with its id; none for any other event. */
export function proposedIn(event: LoomEvent): readonly (readonly [id: string, part: CallPart])[] {
  if (event.type !== 'model.replied') return []
  return event.data.parts.filter((part) => part.type === 'call').map((part, index) => [`${event.turn ?? 0}.${index}`, part] as const)
}
