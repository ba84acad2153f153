/** The options of the shell. */
import { type Expected, expected } from '@loom-agent/agent/kit'
import type { CommandRules } from '../command/judge.ts'
import { type DeclaredPaths, declaredShape } from '../files/declared-paths.ts'
import { type SandboxOption, sandboxOption } from '../sandbox/choose-sandbox.ts'
import { type OsSandboxOptions, osSandboxShape } from '../sandbox/os-sandbox.ts'
import type { SandboxLimits } from '../sandbox/sandbox.ts'
import type { Secrets } from '../sandbox/secrets.ts'
import { watcherOf } from '../workspace/watcher.ts'
import type { FolderWorkspace } from '../workspace/workspace.ts'
import type { JobsOptions } from './jobs.ts'

/** The options of `shellTools()`. */
export interface ShellToolsOptions extends DeclaredPaths {
  /** The folder in which commands run, and, in a sandbox, the only one that they change. Outside of one it is no boundary. */
  readonly cwd: string
  /** The shell; default `bash`. It has to be a bash. */
  readonly shell?: string
  /** The value of PATH; default: that of this process without relative folders and those inside `cwd`. */
  readonly path?: string
  /** Variables for commands, besides a few that are harmless. Nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds that a command may take when the model does not say; default 120,000. */
  readonly timeout?: number
  /** The longest time that the model may ask for, in milliseconds; default 600,000. */
  readonly maxTimeout?: number
  /** Milliseconds between SIGTERM and SIGKILL; default 1,000. */
  readonly grace?: number
  /** Bytes of output that a result has at most; default 8,000: its beginning and its end. */
  readonly maxOutputBytes?: number
  /** Whether each thread has one shell whose folder and variables persist while this process runs; default: each command has a shell of its own. */
  readonly persistent?: boolean
  /**
   * Rules by which commands are judged instead of being asked about. They see absolute paths. With `persistent` nothing is allowed by them: what earlier
   * commands left in the shell gives words another meaning.
   */
  readonly rules?: CommandRules
  /** Where background jobs are kept; default: there are none. */
  readonly jobs?: JobsOptions
  /** The workspace in which commands change files: what each has changed is recorded with its result, or when its job has ended. Default: nobody looks. */
  readonly workspace?: FolderWorkspace
  /**
   * What confines commands: `auto` (default), the sandbox of the operating system where there is one; `os`, always that one, and without it no command
   * runs; `none`; or another sandbox.
   */
  readonly sandbox?: SandboxOption
  /** What commands may do in the sandbox of the operating system; default: change `cwd`, and reach no host. */
  readonly confine?: Omit<OsSandboxOptions, 'folder' | 'protect'> & Partial<SandboxLimits>
  /** Secrets by the names of the variables that hold them. A call that names one asks, gets it in its environment, and is shown without its value. */
  readonly secrets?: Secrets
}

const aFolder: Expected = {
  words: 'a workspace, as workspace() returns it',
  fits: (value) => expected.object.fits(value) && watcherOf(value as object) !== undefined,
}

const patterns = expected.list(expected.text, 'a list of command patterns')

const { folder: _, protect: __, ...confineShape } = osSandboxShape

const areSecrets = (value: unknown): boolean =>
  expected.object.fits(value) &&
  Object.entries(value as object).every(([name, open]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof open === 'function')

/** What each option must be. */
export const shellShape: Readonly<Record<keyof ShellToolsOptions, Expected>> = {
  cwd: expected.required({ ...expected.name, words: 'the path of a folder' }),
  shell: expected.name,
  path: expected.name,
  env: expected.object,
  timeout: expected.whole(1),
  maxTimeout: expected.whole(1),
  grace: expected.whole(0),
  maxOutputBytes: expected.whole(2),
  persistent: expected.flag,
  rules: expected.options({ allow: patterns, deny: patterns, path: expected.function }),
  jobs: expected.options({
    folder: expected.required({ ...expected.name, words: 'the path of a folder' }),
    journal: expected.journal,
    workspace: aFolder,
    maxJobBytes: expected.whole(1),
  }),
  workspace: aFolder,
  ...declaredShape,
  sandbox: sandboxOption,
  confine: expected.options({ ...confineShape, processes: expected.whole(1), memory: expected.whole(2 ** 20) }),
  secrets: { words: 'functions that return secrets, by the names of variables', fits: areSecrets },
}
