/** Mistakes with journals: what is given, the code of the error, and what its message names (OPTION-2). */
import { memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { expect, test } from 'vitest'

const invalid = 'LOOM_OPTION_INVALID'
const journal = memoryJournal()

test.each<[string, () => unknown, string, string]>([
  ['sqlite()', () => sqlite(undefined as never), invalid, 'sqlite: path is undefined. Give a path: sqlite("loom.db").'],
  ['sqlite with wal', () => sqlite(':memory:', { wal: true } as object), 'LOOM_OPTION_UNKNOWN', 'sqlite has no option "wal"'],
  ['sqlite in no mode', () => sqlite(':memory:', { mode: 'fast' as never }), invalid, 'mode is "fast". Give one of strict, relaxed.'],
  [
    'sqlite with heartbeats of no interval',
    () => sqlite(':memory:', { heartbeat: { every: 0 } }),
    invalid,
    'sqlite.heartbeat: every is 0. Give a number of at least 1.',
  ],
  [
    'sqlite with a mistyped heartbeat',
    () => sqlite(':memory:', { heartbeat: { evry: 5 } as object }),
    'LOOM_OPTION_UNKNOWN',
    'sqlite.heartbeat has no option "evry". It has: every, stall.',
  ],
  ['sqlite with a number as heartbeat', () => sqlite(':memory:', { heartbeat: 5 as never }), invalid, 'sqlite: heartbeat is 5. Give an object.'],
  ['sqlite that does not wait', () => sqlite(':memory:', { lockTimeout: 0 }), invalid, 'sqlite: lockTimeout is 0. Give a number of at least 1.'],
  ['file of a number', () => file(5 as never), invalid, 'file: path is 5. Give the path of a folder.'],
  ['an import of nothing', () => importThread(journal, undefined as never), invalid, 'lines is undefined. Give the lines that exportThread returned'],
  ['an import into no journal', () => importThread({} as never, []), invalid, 'journal is [object Object]. Give a journal'],
  ['an export of a missing thread', () => exportThread(journal, 'nope').next(), 'LOOM_THREAD_NOT_FOUND', 'There is no thread nope'],
])('%s is refused', async (_, act, code, named) => {
  const error = await Promise.resolve()
    .then(act)
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code, message: expect.stringContaining(named) as string })
})
