/**
 * The environment of commands.
 *
 * SHELL-3. A command gets the variables of a list and those that the program names, and no others: keys of providers are not among them.
 */
import { isAbsolute, relative } from 'node:path'
import { markVariable } from './processes.ts'

/** Variables that are passed on when they are set. */
const passedOn = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'SYSTEMROOT', 'TMPDIR', 'TZ', 'USER']
/** git takes no folder for a repository only because it looks like one: a model could have written its settings. */
const git = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.bareRepository', GIT_CONFIG_VALUE_0: 'explicit' }
/** Without a terminal: no colours, no pager, no questions. */
const fixed = {
  ...git,
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  CI: '1',
}
const fallbackPath = '/usr/local/bin:/usr/bin:/bin'

/** What the environment is made of. */
export interface EnvironmentOptions {
  readonly cwd: string
  readonly path?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The folders of programs that this process has, without relative ones and those inside the folder of the commands, where a model can put programs. */
function ownPath(cwd: string): string {
  const isOutside = (folder: string): boolean => {
    const inside = relative(cwd, folder)
    return inside.startsWith('..') || isAbsolute(inside)
  }
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => isAbsolute(folder) && isOutside(folder))
  return folders.length === 0 ? fallbackPath : folders.join(':')
}

/** The environment of commands, without their mark. */
export function environmentOf({ cwd, path, env = {} }: EnvironmentOptions): Readonly<Record<string, string>> {
  const own = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...fixed, ...Object.fromEntries(own), ...env, PATH: path ?? ownPath(cwd) }
}

/** The environment with a mark, by which the processes of one command are found. */
export const marked = (env: Readonly<Record<string, string>>, mark: string): Record<string, string> => ({ ...env, [markVariable]: mark })
