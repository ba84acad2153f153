/** Appending what somebody asks of a thread, with the journal alone. Loaded on use. */
import type { Draft, Frame, Journal } from '@loom-agent/kernel'
import { completePorts } from '../platform/ports.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { appendInput } from '../thread/append-input.ts'
import { createThreadCache } from '../thread/thread-cache.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'
import { checkReadable } from './start-input.ts'

/** Appends what a frame of the thread calls for. */
export async function appendRequest(journal: Journal, thread: string, draftsFor: (frame: Frame) => readonly Draft[]): Promise<void> {
  requireJournal('a request to a thread', journal)
  checkThread(thread)
  const cached = await createThreadCache(journal).load(thread)
  if (cached.frame.seq === 0) throw threadNotFound(thread)
  await appendInput({ journal, ports: completePorts() }, cached, (frame) => {
    checkReadable(frame)
    return draftsFor(frame)
  })
}
