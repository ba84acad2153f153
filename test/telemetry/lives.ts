/** Threads of real runs, for views to be compared with frames: random lives with hooks, deaths, stops, questions and children, and stored histories. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { simulate } from '@loom-agent/harness/crash'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { type CrashStorage, memoryStorage } from '@loom-agent/testing/crash'
import { eventsByThread, readGolden } from '../golden/golden-history.ts'

/** The events of every thread that a random life leaves behind. */
export async function threadsOfLife(seed: number): Promise<readonly (readonly LoomEvent[])[]> {
  const journals: Journal[] = []
  const journal = (): CrashStorage => {
    const storage = memoryStorage()
    journals.push(storage.open() as Journal)
    return storage
  }
  await simulate({ seed, journal })
  const threads: LoomEvent[][] = []
  for (const kept of journals) {
    for (const { thread } of await kept.threads()) {
      const events: LoomEvent[] = []
      for await (const event of readEvents(kept, thread)) events.push(event)
      threads.push(events)
    }
  }
  return threads
}

const folder = join(import.meta.dirname, '../golden/histories')

/** The events of every thread of the stored histories, of all versions. */
export function storedThreads(): readonly (readonly LoomEvent[])[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
  return files.flatMap((file) => [...eventsByThread(readGolden(readFileSync(join(folder, file), 'utf8')).batches).values()])
}
