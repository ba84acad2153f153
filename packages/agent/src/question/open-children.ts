import { type Frame, items } from '@loom-agent/kernel'

/** Children whose end a thread's calls wait for. */
export function openChildren(frame: Frame): readonly string[] {
  if (!frame.run) return []
  return [...items(frame.run.calls)].flatMap((call) => call.open.flatMap((step) => (step.child === undefined ? [] : [step.child])))
}
