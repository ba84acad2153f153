/** Mistakes with journals: what is given, the code of the error, and what its message names (OPTION-2). */
import { agent, memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread, migrate, prune, verify } from '@loom-agent/journals'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'

const invalid = 'LOOM_OPTION_INVALID'
const unknown = 'LOOM_OPTION_UNKNOWN'
const journal = memoryJournal()
const database = sqlite(':memory:')
/** What a program without types gives. */
const given = (value: unknown): never => value as never
const worker = given(agent({ model: scriptedModel('ok') }))

test.each<[string, () => unknown, string, string]>([
  ['sqlite()', () => sqlite(undefined as never), invalid, 'sqlite: path is undefined. Give a path: sqlite("loom.db").'],
  ['sqlite with wal', () => sqlite(':memory:', { wal: true } as object), 'LOOM_OPTION_UNKNOWN', 'sqlite has no option "wal"'],
  ['sqlite in no mode', () => sqlite(':memory:', { mode: 'fast' as never }), invalid, 'mode is "fast". Give one of strict, relaxed.'],
  [
    'sqlite with heartbeats of no interval',
    () => sqlite(':memory:', { heartbeat: { every: 0 } }),
    invalid,
    'sqlite.heartbeat: every is 0. Give a number from 1 to 10000',
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
  ['an import of one long text', () => importThread(journal, given('x'.repeat(5000))), invalid, `lines is "${'x'.repeat(199)}.... Give the lines`],
  ['migrate({ onprogress })', () => migrate(database, journal, given({ onprogress: 1 })), unknown, 'migrate has no option "onprogress"'],
  ['migrate from an agent', () => migrate(worker, journal), invalid, 'migrate (from): journal is [object Object]. Give a journal'],
  ['migrate to an agent', () => migrate(journal, worker), invalid, 'migrate (to): journal is'],
  ['verify of an agent', () => verify(worker).next(), invalid, 'verify: journal is'],
  ['prune of an agent', () => prune(worker, { olderThan: Date.now() }), invalid, 'prune: journal is'],
  [
    'prune of one status in a list of lists',
    () => prune(journal, { olderThan: Date.now(), status: given([['done']]) }),
    invalid,
    'status is a list of 1',
  ],
  ['remove({ expect })', () => database.remove('t', given({ expect: 1 })), unknown, 'journal.remove has no option "expect". It has: expected.'],
  ['threads({ state })', () => database.threads(given({ state: 'done' })), unknown, 'journal.threads has no option "state"'],
  ['threads of no status', () => database.threads(given({ status: 'active' })), invalid, 'status is "active". Give one of idle, running, waiting'],
  ['threads in no order', () => database.threads(given({ sort: 'newest' })), invalid, 'sort is "newest"'],
  ['threads since a word', () => database.threads(given({ since: 'yesterday' })), invalid, 'since is "yesterday"'],
  [
    'threads after a time by an id',
    () => database.threads({ sort: 'latest', after: 't' }),
    invalid,
    'after is "t". Give the last head of the page before',
  ],
  ['feed({ form })', () => database.feed(given({ form: 'x' })), unknown, 'journal.feed has no option "form"'],
  ['feed from a number', () => database.feed(given({ from: 7 })), invalid, 'journal.feed: from is 7. Give a text.'],
  ['read({ form })', () => database.read('t', given({ form: 3 })), unknown, 'journal.read has no option "form"'],
  ['a watch without a function', () => database.watch('t', given(undefined)), invalid, 'journal.watch: hint is undefined. Give a function.'],
  ['read(t, 3)', () => database.read('t', given(3)), invalid, 'journal.read takes an object of options, not 3'],
  ['threads since a duration', () => database.threads({ since: 60_000 }), invalid, 'since is 60000. Give a moment in milliseconds since 1970'],
  ['threads before a duration', () => database.threads({ before: 60_000 }), invalid, 'before is 60000. Give a moment'],
  [
    'sqlite of an address',
    () => sqlite('postgres://me:secret@host/db'),
    invalid,
    'path is an address that begins with postgres://. For PostgreSQL use',
  ],
  ['sqlite of a file address', () => sqlite('file:///tmp/loom.db'), invalid, 'begins with file://. Give a path: sqlite("loom.db").'],
  ['file of an address', () => file('postgresql://host/db'), invalid, 'For PostgreSQL use postgres() of @loom-agent/journals/postgres.'],
  ['file of a file address', () => file('file:///tmp/threads'), invalid, 'begins with file://. Give the path of a folder.'],
  ['a verification of a missing thread', () => verify(journal, 'nope').next(), 'LOOM_THREAD_NOT_FOUND', 'There is no thread nope'],
  ['an export of a missing thread', () => exportThread(journal, 'nope').next(), 'LOOM_THREAD_NOT_FOUND', 'There is no thread nope'],
])('%s is refused', async (_, act, code, named) => {
  const error = await Promise.resolve()
    .then(act)
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code, message: expect.stringContaining(named) as string })
})
