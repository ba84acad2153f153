/** A frame as plain JSON: its persistent lists are trees inside, and nobody wants to read those. */
import { type Call, type Frame, items } from '@loom-agent/kernel'
import type { PlainCall, PlainFrame } from '../../client/plain-frame.ts'

const plainCall = ({ done, ...call }: Call): PlainCall => ({ ...call, done: [...items(done)] })

/** A frame with lists in place of trees. */
export function plainFrame({ run, starts, history, summaries, answered, ...frame }: Frame): PlainFrame {
  return {
    ...frame,
    ...(run && { run: { ...run, calls: Array.from(items(run.calls), plainCall) } }),
    ...{ starts: [...items(starts)], history: [...items(history)], summaries: [...items(summaries)], answered: [...items(answered)] },
  }
}
