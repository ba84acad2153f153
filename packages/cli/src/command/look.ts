/** What commands that look at a journal have in common. */
import type { Head, Journal } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import { type Absent, openJournal } from '../journal/open-journal.ts'
import type { Terminal } from '../platform/terminal.ts'
import { threadAt } from '../thread/moment.ts'

/** The options of every command that looks at a journal. */
export interface LookOptions {
  /** The journal: a SQLite file, a folder, or an address. */
  readonly journal?: string
  /** Whether the answer is one JSON value. */
  readonly json?: true
}

/** The journal of a command, and what becomes of one that is not there. */
interface Wanted extends LookOptions {
  readonly absent?: Absent
}

/** A terminal, and the journal that a command looks at. */
export interface Place {
  readonly terminal: Terminal
  readonly journal: Journal
}

/** Opens the journal that the options name, and closes it when the work is done. */
export async function inJournal<Result>(terminal: Terminal, options: Wanted, work: (place: Place) => Promise<Result>): Promise<Result> {
  const journal = await openJournal(options.journal, terminal, options.absent)
  try {
    return await work({ terminal, journal })
  } finally {
    await journal.close()
  }
}

/** Writes a value as JSON. Nothing else may be in the answer. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.out(`${JSON.stringify(value, undefined, 2)}\n`)
}

/** Writes lines. */
export function writeLines(terminal: Terminal, lines: readonly string[]): void {
  for (const line of lines) terminal.out(`${line}\n`)
}

/** The head of a thread that must be there. */
export async function headOf(journal: Journal, thread: string): Promise<Head> {
  const head = await journal.head(thread)
  if (head?.seq) return head
  throw new LoomError(
    'LOOM_THREAD_NOT_FOUND',
    `There is no thread ${JSON.stringify(thread)} in this journal. loom runs lists those that are there.`,
    {
      context: { thread },
    },
  )
}

/** A moment as `thread@seq`: the one that was named, or the end of the thread. */
export async function momentOf(journal: Journal, text: string): Promise<string> {
  const { thread, seq } = threadAt(text)
  return `${thread}@${seq ?? (await headOf(journal, thread)).seq}`
}
