/** What is known of programs whose words are more than arguments: they run other commands, change the shell, or run code. */

/** How a program that runs another one takes its own words. */
export interface Wrapper {
  /** Its options that are understood, and whether a value follows. */
  readonly options?: Readonly<Record<string, boolean>>
  /** What its own words before the command must look like. */
  readonly operands?: readonly RegExp[]
  /** Whether it adds words that are not in the text. */
  readonly isOpen?: boolean
  /** Whether it gives the command other rights or other words, so that it has to be allowed itself. */
  readonly isStrong?: boolean
}

const duration = /^\d+(?:\.\d+)?[smhd]?$/

/** Programs that run the command which their words end with. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  command: {},
  doas: { isStrong: true },
  env: {},
  exec: {},
  ionice: { options: { '-c': true, '-n': true, '-t': false } },
  nice: { options: { '-n': true, '--adjustment': true } },
  nohup: {},
  setsid: { options: { '-w': false, '--wait': false } },
  stdbuf: { options: { '-i': true, '-o': true, '-e': true } },
  sudo: { options: { '-n': false, '-u': true }, isStrong: true },
  time: { options: { '-p': false } },
  timeout: {
    options: { '-k': true, '-s': true, '--kill-after': true, '--signal': true, '--foreground': false, '--preserve-status': false, '-v': false },
    operands: [duration],
  },
  xargs: {
    options: { '-0': false, '-r': false, '-t': false, '-n': true, '-P': true, '-L': true, '-d': true, '--null': false, '--no-run-if-empty': false },
    isOpen: true,
    isStrong: true,
  },
}

/** Wrappers that are words of the shell: with other words they do something else. */
export const shellWrappers: ReadonlySet<string> = new Set(['command', 'exec', 'time'])

/** Shells whose `-c` takes a script in the grammar that is understood here. */
export const shells: ReadonlySet<string> = new Set(['bash', 'dash', 'sh'])

/** Programs that run code which they are given. A rule for them with `*` allows anything. */
export const interpreters: ReadonlySet<string> = new Set(
  [
    ...[
      'ash',
      'bash',
      'bun',
      'bunx',
      'busybox',
      'clojure',
      'csh',
      'dash',
      'deno',
      'dotnet',
      'elixir',
      'emacs',
      'erl',
      'expect',
      'fish',
      'gawk',
      'gdb',
    ],
    ...[
      'ghc',
      'groovy',
      'guile',
      'irb',
      'java',
      'jshell',
      'julia',
      'ksh',
      'lua',
      'luajit',
      'make',
      'mawk',
      'nawk',
      'node',
      'nodejs',
      'npm',
      'npx',
      'ocaml',
    ],
    ...[
      'osascript',
      'perl',
      'php',
      'pip',
      'pipx',
      'pnpm',
      'powershell',
      'psql',
      'pwsh',
      'python',
      'python2',
      'python3',
      'r',
      'racket',
      'rscript',
      'ruby',
    ],
    ...['scala', 'sh', 'sqlite3', 'ssh', 'swift', 'tclsh', 'tcsh', 'ts-node', 'tsx', 'uv', 'uvx', 'vi', 'vim', 'yarn', 'zsh', 'awk'],
  ].sort(),
)

/** Of these, the ones that do not run what they read from their standard input. */
const readsData: ReadonlySet<string> = new Set('awk gawk mawk nawk npm npx pnpm yarn bunx uvx pip pipx dotnet java'.split(' '))

const shellCommands = [
  ...[
    '.',
    'alias',
    'bind',
    'builtin',
    'compgen',
    'complete',
    'compopt',
    'declare',
    'enable',
    'eval',
    'export',
    'fc',
    'getopts',
    'hash',
    'history',
    'let',
  ],
  ...['local', 'mapfile', 'read', 'readarray', 'readonly', 'set', 'shift', 'shopt', 'source', 'trap', 'typeset', 'unalias', 'unset', 'wait', '['],
  ...['break', 'continue', 'return', 'logout', 'suspend', 'fg', 'bg', 'jobs', 'disown', 'caller', 'dirs', 'times', 'ulimit', 'umask'],
]
const ownWays = ['parallel', 'script', 'unshare', 'nsenter', 'chroot', 'watch', 'entr', 'flock']

/** Commands of the shell, and programs, that give words another meaning: what comes of them is not in their words. */
export const unreadable: ReadonlyMap<string, string> = new Map([
  ...shellCommands.map((name) => [name, `${name}, which changes the shell`] as const),
  ...ownWays.map((name) => [name, `${name}, which runs its words in its own way`] as const),
])

/** Commands of the shell that change its folder. */
export const movers: ReadonlySet<string> = new Set(['cd', 'popd', 'pushd'])

/** The name of a program without its folder. */
export const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** A name without the number of a version: python3.12 is python. */
const withoutVersion = (name: string): string =>
  baseName(name)
    .toLowerCase()
    .replace(/[-\d.]+$/, '')

/** Whether a program runs code that it is given; versions such as python3.12 too. */
export const isInterpreter = (name: string): boolean => interpreters.has(withoutVersion(name)) || interpreters.has(baseName(name).toLowerCase())

/** Whether a program may run what it reads from its standard input. */
export const runsInput = (name: string): boolean => isInterpreter(name) && !readsData.has(withoutVersion(name))
