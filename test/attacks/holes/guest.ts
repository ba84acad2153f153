/** Holes in what confines the code of a model. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/guest.test.ts'

export const guestHoles: readonly Hole[] = [
  {
    what: 'an engine that was taken over may use the whole system',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: '[...confined, ',
    instead: '[',
    foundBy,
  },
  {
    what: 'an engine that was taken over may start workers, which have all permissions',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: "['--permission',",
    instead: "['--permission', '--allow-worker',",
    foundBy,
  },
  {
    what: 'an engine that was taken over reads every file',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: 'path.includes(folder) ?',
    instead: 'path === folder ?',
    foundBy,
  },
  {
    what: 'the process of code has the environment of this one',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: 'env: SYSTEMROOT === undefined ? {} : { SYSTEMROOT }',
    instead: 'env: { ...process.env, SYSTEMROOT }',
    foundBy,
  },
  {
    what: 'an engine that was taken over may write without end',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: 'if (bytes > most) killGroup(child)',
    instead: 'if (bytes > 1e12) killGroup(child)',
    foundBy,
  },
  {
    what: 'a reply is believed whatever its form is',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: 'printed: isText(printed) ? printed :',
    instead: 'printed: printed !== undefined ? String(printed) :',
    foundBy,
  },
  {
    what: 'a process goes on when its call has ended',
    file: 'tools/src/sandbox/run-guest.ts',
    passage: "  signal.addEventListener('abort', stop)\n",
    instead: '',
    foundBy,
  },
  {
    what: 'code may compute for as long as its process may live',
    file: 'tools/src/sandbox/guest-code.ts',
    passage: 'runtime.setInterruptHandler(',
    instead: 'String(',
    foundBy,
  },
  {
    what: 'the memory of the engine has no maximum of its own',
    file: 'tools/src/sandbox/guest-code.ts',
    passage: 'maximum: 256 + Math.ceil(memory / 65536)',
    instead: 'maximum: 32768',
    foundBy,
  },
  {
    what: 'the stack of the engine is larger than that of the host',
    file: 'tools/src/sandbox/guest-code.ts',
    passage: '  runtime.setMaxStackSize(stack)\n',
    instead: '',
    foundBy,
  },
  {
    what: 'what code prints has no bound',
    file: 'tools/src/sandbox/guest-code.ts',
    passage: 'line.slice(0, Math.max(0, room - printed.length))',
    instead: 'line',
    foundBy,
  },
  {
    what: 'code uses what it has replaced to write its result',
    file: 'tools/src/sandbox/guest-code.ts',
    passage: 'print(apply(slice, words, [0, room]), words.length)',
    instead: 'print(words.slice(0, room), words.length)',
    foundBy,
  },
]
