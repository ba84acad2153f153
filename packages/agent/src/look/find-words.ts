/** Finding words in the events of threads. Loaded on use. */
import { isLoomError, type Journal, type LoomEvent, type ThreadQuery } from '@loom-agent/kernel'
import { notify } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { messageOf } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'
import { loadRedaction } from '../platform/redaction.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { isRemoved } from '../thread/thread-cache.ts'
import { recordOf } from './record-of.ts'
import { threads } from './threads.ts'

/** A place in a thread where something was found. */
export interface Found {
  /** Where: `thread@seq`. */
  readonly at: string
  /** The type of the event. */
  readonly type: LoomEvent['type']
  /** The words around it. */
  readonly excerpt: string
}

/** Which threads are searched. */
export type SearchQuery = ThreadQuery & {
  /** Called with the error of a thread that cannot be read; default: the log has it. */
  readonly onError?: (error: unknown) => void
}

/** Every event whose data holds the words, in the threads that a query asks for. */
export async function* findInThreads(journal: Journal, words: string, query: SearchQuery): AsyncGenerator<Found, void> {
  requireJournal('searchThreads', journal)
  const wanted = wordsToFind(words)
  const { onError = (error: unknown) => console.warn(`searchThreads: ${messageOf(error)}`), ...wantedThreads } = query
  for await (const { thread } of threads(journal, wantedThreads)) {
    try {
      yield* placesOf(journal, thread, wanted)
    } catch (error) {
      if (isRemoved(error)) continue
      if (!isUnreadable(error)) throw error
      await loadRedaction()
      notify(onError, error)
    }
  }
}

/** Whether an error is of one thread alone: the others can be read. */
const isUnreadable = (error: unknown): boolean =>
  isLoomError(error) && (error.code === 'LOOM_JOURNAL_DAMAGED' || error.code === 'LOOM_THREAD_UNREADABLE')

/** Characters of an excerpt on either side of what was found. */
const around = 60

/** Every event of a thread whose data holds the words. */
export async function findInThread(journal: Journal, thread: string, words: string): Promise<readonly Found[]> {
  const found: Found[] = []
  for await (const place of placesOf(journal, thread, wordsToFind(words))) found.push(place)
  return found
}

/** What the words of a search are compared as; throws when there are none. */
function wordsToFind(words: string): string {
  checkOptions('search', { words }, { words: expected.required(expected.name) })
  return words.trim().toLowerCase()
}

/** The places of a thread where words are, one by one. */
async function* placesOf(journal: Journal, thread: string, wanted: string): AsyncGenerator<Found, void> {
  for await (const event of recordOf(journal, thread)) {
    const text = wordsOf(event.data)
    const index = text.toLowerCase().indexOf(wanted)
    if (index === -1) continue
    yield { at: `${thread}@${event.seq}`, type: event.type, excerpt: text.slice(Math.max(0, index - around), index + wanted.length + around) }
  }
}

/** All texts and numbers of an event, one after another: what people would look for, without the quotes and escapes of JSON. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(wordsOf).filter(Boolean).join(' ')
}
