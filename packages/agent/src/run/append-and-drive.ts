/**
 * Inputs from outside a run's handle: an input is appended to its thread, and the root of the thread's tree is driven on.
 *
 * INPUT-1. An input that is refused appends nothing: the thread is adopted in the batch of the input, or where that is for a child, after it.
 */
import { type Draft, type Frame, LoomError } from '@loom-agent/kernel'
import { type AdoptOptions, adoptionOf, requireOwn } from '../thread/adoption.ts'
import type { AgentInstance } from '../thread/agent-instance.ts'
import { appendInput } from '../thread/append-input.ts'
import { awaitedByDrain } from '../thread/drain.ts'
import { driveThread } from '../thread/drive-thread.ts'
import type { Runtime } from '../thread/runtime.ts'
import { threadNotFound } from '../types/thread-id.ts'
import { resumeInput } from './resume-input.ts'

/** The thread that gets an input. */
interface InputTarget {
  readonly thread: string
  /** There when the caller may adopt the thread of another agent. */
  readonly adoption?: AdoptOptions
}

/** What is appended before an input, in its batch. Throws when the thread of the frame may not get one. */
export type Opening = (frame: Frame) => readonly Draft[]

/** Nothing comes before the input. */
export const noOpening: Opening = () => []

/** Appends an input to a thread of this agent, or to a child of one, then drives the root of its tree on. Resolves when the input is durable. */
export async function appendAndDrive(instance: AgentInstance, target: InputTarget, append: (opening: Opening) => Promise<unknown>): Promise<void> {
  const root = await awaitedByDrain(instance.runtime.drain, () => appendTo(instance, target, append))
  void driveRoot(instance, root).catch(() => {
    // The input is durable; the next driver of the thread meets the same error and reports it, unless it has what this process lacks.
  })
}

/** Appends an input, and returns the root of the thread's tree. */
async function appendTo(instance: AgentInstance, { thread, adoption }: InputTarget, append: (opening: Opening) => Promise<unknown>): Promise<Frame> {
  const { runtime } = instance
  const root = (await lineOf(runtime, thread)).at(-1)
  if (!root?.seq) throw threadNotFound(root?.thread ?? thread)
  if (adoption?.adopt && (await adoptedNow(instance, root.thread))) return appendTo(instance, { thread, adoption }, append)
  const opening: Opening = (frame) => {
    if (adoption) return adoptionOf(instance, frame, adoption)
    requireOwn(instance, frame)
    return []
  }
  const isRoot = root.thread === thread
  const isAdopted = opening(root).length > 0
  await append(isRoot ? opening : noOpening)
  if (isAdopted && !isRoot) await appendInput(runtime, await runtime.threads.load(root.thread, root.incarnation), opening)
  return root
}

/** Ends the quarantine of a thread that was imported; returns whether it was in one. */
async function adoptedNow({ runtime, definition }: AgentInstance, thread: string): Promise<boolean> {
  const { adoptImported } = await import('./adopt-imported.ts')
  return adoptImported({ ...runtime, agent: definition.name }, thread)
}

async function driveRoot(instance: AgentInstance, { thread, incarnation }: Frame): Promise<void> {
  const { cached, unpin } = await instance.runtime.threads.pin(thread, incarnation)
  try {
    resumeInput(instance, { thread, options: {} }, cached.frame)
    await driveThread(instance, cached, { force: true })
  } finally {
    unpin()
  }
}

/** A thread, then those above it, up to the root of its tree. */
export async function lineOf({ threads }: Runtime, of: string): Promise<readonly Frame[]> {
  let { frame } = await threads.load(of)
  const line = [frame]
  while (frame.parent) {
    const { thread, incarnation, depth } = frame.parent
    ;({ frame } = await threads.load(thread, incarnation))
    // Records that were imported may name each other as parents.
    if ((frame.parent?.depth ?? 0) >= depth) throw circular(of, frame)
    line.push(frame)
  }
  return line
}

function circular(of: string, { thread }: Frame): LoomError {
  const message = `The record of ${thread} names a parent that is not above it. The thread ${of} gets no input.`
  return new LoomError('LOOM_THREAD_UNREADABLE', message, { context: { of, thread } })
}
