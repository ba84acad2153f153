/** Holes in what keeps secrets out of journals, requests and logs. */
import type { Hole } from './hole.ts'

const errors = 'test/attacks/secrets.test.ts'
const formats = 'test/attacks/secrets-formats.test.ts'
const deps = 'test/attacks/secrets-deps.test.ts'

export const secrets: readonly Hole[] = [
  {
    what: 'messages of errors are not redacted',
    file: 'agent/src/platform/normalize.ts',
    passage: "return withoutSecrets(said, isLoomError(thrown) ? 'message' : 'foreign')",
    instead: 'return said',
    foundBy: errors,
  },
  {
    what: 'errors inside values are not redacted',
    file: 'agent/src/platform/normalize.ts',
    passage: 'message: messageOf(value) }',
    instead: 'message: value.message }',
    foundBy: errors,
  },
  {
    what: 'the contexts of failures are not redacted',
    file: 'agent/src/platform/failure-of.ts',
    passage: '{ context: contextWithoutSecrets(context) }',
    instead: '{ context }',
    foundBy: errors,
  },
  {
    what: 'the log is told the error itself',
    file: 'agent/src/platform/thrown.ts',
    passage: 'withoutSecrets(stackOf(error))',
    instead: 'error',
    foundBy: errors,
  },
  {
    what: 'warnings of providers are not redacted',
    file: 'agent/src/model/warnings.ts',
    passage: 'withoutSecrets(text.slice(0, most.read)).slice(0',
    instead: 'text.slice(0',
    foundBy: errors,
  },
  {
    what: 'passwords in addresses are shown',
    file: 'agent/src/redact/find.ts',
    passage: 'passwordAt(reader, at)',
    instead: 'undefined',
    foundBy: errors,
  },
  {
    what: 'names of keys say nothing',
    file: 'agent/src/redact/names.ts',
    passage: "return 'service'",
    instead: 'return undefined',
    foundBy: formats,
  },
  {
    what: 'what looks random in an error is shown',
    file: 'agent/src/redact/find.ts',
    passage: "kind === 'foreign' ? randomAt(reader, at) : undefined",
    instead: 'undefined',
    foundBy: errors,
  },
  {
    what: 'runs are read again from each of their places',
    file: 'agent/src/redact/reader.ts',
    passage: 'if (from >= known.start && from <= known.end) return known.end',
    instead: 'known.start = -1',
    foundBy: formats,
  },
  {
    what: 'the stacks of errors hold the functions of a run',
    file: 'agent/src/platform/thrown.ts',
    passage: '  writeStack(inside)\n',
    instead: '',
    foundBy: deps,
  },
  {
    what: 'nobody looks whether a run still waits',
    file: 'agent/src/run/left-runs.ts',
    passage: 'if (await isOverNow(runtime, run).catch(() => false)) overrides.delete(key)',
    instead: 'if (run.seq < 0) overrides.delete(key)',
    foundBy: deps,
  },
  {
    what: 'a handle that has failed leaves the dependencies of its run',
    file: 'agent/src/run/run-follower.ts',
    passage: 'if (incarnation !== undefined && run !== undefined) instance',
    instead: 'if (incarnation !== undefined && run === undefined) instance',
    foundBy: deps,
  },
]
