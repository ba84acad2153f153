import { type Frame, openCalls } from '@loom-agent/kernel'

/** Children whose end a thread's calls wait for. */
export function openChildren(frame: Frame): readonly string[] {
  if (!frame.run) return []
  return openCalls(frame.run).flatMap((call) => call.open.flatMap((step) => (step.child === undefined ? [] : [step.child])))
}
