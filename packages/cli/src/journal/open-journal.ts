/** Which journal a command looks at. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Journal, LoomError } from '@loom-agent/kernel'
import type { Terminal } from '../platform/terminal.ts'

/** Where a journal is looked for when nothing names one: the names that the pages use. */
const usual = ['loom.db', '.loom/loom.db', 'threads', '.loom/threads']

/** What a command does with a journal that is not there: it begins a new one in a file, or says so. */
export type Absent = 'created' | 'refused'

/** How a journal is named: by the option, by `LOOM_JOURNAL`, or by being the usual one of this folder; `undefined` when nothing names one. */
export function namedJournal(named: string | undefined, { env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string | undefined {
  return named ?? env['LOOM_JOURNAL'] ?? usual.find((path) => existsSync(resolve(cwd, path)))
}

/** The journal that `--journal` or `LOOM_JOURNAL` names, or the usual one of this folder. */
export async function openJournal(named: string | undefined, terminal: Pick<Terminal, 'env' | 'cwd'>, absent: Absent = 'refused'): Promise<Journal> {
  const { cwd } = terminal
  const address = namedJournal(named, terminal)
  if (address === undefined) throw noJournal(cwd)
  if (/^postgres(ql)?:\/\//.test(address)) return (await import('@loom-agent/journals/postgres')).postgres(address)
  const path = resolve(cwd, address)
  const found = statSync(path, { throwIfNoEntry: false })
  // An empty file would become a journal by being opened.
  if (absent === 'refused' && (!found || (found.isFile() && found.size === 0))) throw notThere(address, path)
  if (found?.isDirectory()) return (await import('@loom-agent/journals/file')).file(path)
  return (await import('@loom-agent/journals/sqlite')).sqlite(path)
}

function noJournal(cwd: string): LoomError {
  return new LoomError(
    'LOOM_OPTION_INVALID',
    `No journal was named, and ${cwd} has none of ${usual.join(', ')}. Give one with --journal: a SQLite file, a folder of a file journal, or postgres://...; or set LOOM_JOURNAL.`,
    { context: { folder: cwd } },
  )
}

function notThere(address: string, path: string): LoomError {
  return new LoomError(
    'LOOM_OPTION_INVALID',
    `There is no journal ${JSON.stringify(address)} (looked for ${path}). Check --journal or LOOM_JOURNAL.`,
    {
      context: { journal: address, path },
    },
  )
}
