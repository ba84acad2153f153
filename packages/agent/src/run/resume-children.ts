/**
 * A caller's resume reaches the children.
 *
 * PAUSE-2. A child that was paused is resumed with the root of its tree: its own record says so, and its parent's driver goes on with it.
 */
import type { Frame } from '@loom-agent/kernel'
import { openChildren } from '../question/open-children.ts'
import { appendInput } from '../thread/append-input.ts'
import type { Runtime } from '../thread/runtime.ts'

/** Ends the pauses of the open children of a thread, theirs, and so on. */
export async function resumeChildren(runtime: Pick<Runtime, 'journal' | 'ports' | 'threads'>, frame: Frame): Promise<void> {
  for (const child of openChildren(frame)) {
    const cached = await runtime.threads.load(child)
    // What another caller started under the id of a child is no child (CHILD-1).
    if (cached.frame.parent?.thread !== frame.thread) continue
    const resumed = await appendInput(runtime, cached, ({ run }) =>
      run?.status === 'suspended' && run.pause ? [{ type: 'run.resumed', data: { cause: 'asked' } }] : [],
    )
    await resumeChildren(runtime, resumed)
  }
}
