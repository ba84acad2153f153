/** Holes in what confines the commands of a model. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/confined.test.ts'

const sandbox = 'packages/tools/test/sandbox.test.ts'
const labels = 'packages/tools/test/taint.test.ts'

export const confinedHoles: readonly Hole[] = [
  {
    what: 'a command that looks into folders shows nothing private',
    file: 'tools/src/command/command-taint.ts',
    passage: "|| !showsNamedFiles(requests, 'content'))",
    instead: ')',
    foundBy: labels,
  },
  {
    what: 'a link to a private file is a name like others',
    file: 'tools/src/command/command-taint.ts',
    passage: 'return [written, relative(realpathSync(root), realpathSync(resolve(cwd, path))).split(sep)]',
    instead: 'return [written, relative(root, resolve(cwd, path)).split(sep)]',
    foundBy: labels,
  },
  {
    what: 'the shell does not know which files are private',
    file: 'tools/src/command/command-taint.ts',
    passage: 'return { ...guardOf(declared), hasPrivate',
    instead: 'return { ...guardOf({}), hasPrivate',
    foundBy: labels,
  },
  {
    what: 'Python reads what is in the working folder of the process',
    file: 'tools/src/code/python-tool.ts',
    passage: "hide: hide.filter((path) => path !== '/')",
    instead: "hide: hide.filter((path) => path === '/')",
    foundBy: sandbox,
  },
  {
    what: 'a sandbox hides the usual names, whatever is declared',
    file: 'tools/src/sandbox/hidden-paths.ts',
    passage: 'const guard = protect ? guardFor(protect) : usual',
    instead: 'const guard = protect ? usual : guardFor({})',
    foundBy: sandbox,
  },
  {
    what: 'the system can be set through /proc',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: 'for place in sys fs',
    instead: 'for place in fs',
    foundBy,
  },
  {
    what: 'secrets can be read',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: 'denyRead: [...secrets, ...hide]',
    instead: 'denyRead: [...hide]',
    foundBy,
  },
  {
    what: 'hooks of a repository can be changed',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: '...hide, ...code, ...ownFolders()',
    instead: '...hide, ...ownFolders()',
    foundBy,
  },
  {
    what: 'the network is open',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: 'network: { allowedDomains: [], deniedDomains: [] },',
    instead: 'network: {} as never,',
    foundBy,
  },
  {
    what: 'everything can be written',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: 'allowWrite: [...write, temporary]',
    instead: "allowWrite: ['/tmp', '/root']",
    foundBy,
  },
  {
    what: 'the memory of a process has no bound',
    file: 'tools/src/sandbox/os-sandbox.ts',
    passage: '; ulimit -d "$LOOM_MEMORY"',
    instead: '',
    foundBy,
  },
  {
    what: 'a command may have any number of processes',
    file: 'tools/src/shell/run-command.ts',
    passage: 'findProcesses(traces).length > confine.limits.processes',
    instead: 'findProcesses(traces).length > 1e6',
    foundBy,
  },
  {
    what: 'secrets are not looked for',
    file: 'tools/src/sandbox/hidden-paths.ts',
    passage: "if (guard.reason('read', names) !== undefined) secrets.push(path)",
    instead: "if (guard.reason('read', names) === '') secrets.push(path)",
    foundBy,
  },
  {
    what: 'the settings of a repository are not looked for',
    file: 'tools/src/sandbox/hidden-paths.ts',
    passage: "const gitCode = ['hooks', 'config']",
    instead: "const gitCode = ['hooks']",
    foundBy,
  },
  {
    what: 'what is recorded about jobs is not hidden',
    file: 'tools/src/shell/shell-tools.ts',
    passage: '...(jobs ? [jobs.folder] : [])',
    instead: '',
    foundBy,
  },
  {
    what: 'a sandbox that is not there is left out',
    file: 'tools/src/sandbox/choose-sandbox.ts',
    passage: 'throw noSandbox(problem)',
    instead: 'return undefined',
    foundBy,
  },
  {
    what: 'a sandbox settles a command that is given a secret',
    file: 'tools/src/command/command-matcher.ts',
    passage: 'commands: [], words: [] })),\n      ]',
    instead: 'commands: [], words: [], isSandboxed: true as const })),\n      ]',
    foundBy,
  },
  {
    what: 'a secret that is cut is shown',
    file: 'tools/src/sandbox/secrets.ts',
    passage: 'held.length - longest + 1',
    instead: 'held.length',
    foundBy,
  },
  {
    what: 'a secret is shown in base64',
    file: 'tools/src/sandbox/secrets.ts',
    passage: '...inBase64',
    instead: '...inBase64.slice(-1)',
    foundBy,
  },
]
