/**
 * The sandbox of the operating system: bubblewrap, by `@anthropic-ai/sandbox-runtime`.
 *
 * OS-1. A command reads what this process can, except secrets; it writes its folder and a temporary one that ends with it; it sees no other processes; it
 *     has no network, or only through a proxy that lets named hosts pass; and it gains no rights.
 * OS-2. Nothing of a command becomes a part of a text that a shell reads: the script is the same for all, and gets program and arguments as variables.
 * OS-3. `/proc/sys` is read-only inside. Left as the package leaves it, the administrator of the system could write it from inside of a sandbox, and so have
 *     the kernel run a program outside of it. Where it could be written, no command runs.
 * OS-5. The system does not hold the number of processes of its administrator. From Linux 6.14 on a namespace bounds the numbers of its processes: there the
 *     sandbox begins in a namespace of its own, whose bound a command does not see and cannot change. Before that, the bound is one of the whole system,
 *     and left alone.
 * OS-4. The package has one configuration for a process. The hosts of a command are registered under a random id of its own, and a configuration that
 *     somebody else has made in this process is refused: its hosts would be allowed here, too.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { homedir, release, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { checkOptions, type Expected, expected } from '@loom-agent/agent/kit'
import { type ProtectOptions, protectShape } from '../files/declared-paths.ts'
import { findHidden, type HiddenPaths, type Protection } from './hidden-paths.ts'
import { loadRuntime, nothing, openNetwork, type Runtime, type RuntimeConfig, type RuntimePath, runtimeFolder } from './os-runtime.ts'
import type { ConfinedProgram, ProgramToConfine, Sandbox, SandboxLimits } from './sandbox.ts'

/** The options of `osSandbox()`. */
export interface OsSandboxOptions {
  /** The folder that commands may change. */
  readonly folder: string
  /** Further paths that commands may change; default: none. */
  readonly write?: readonly string[]
  /** Further paths that commands may neither read nor change, besides secrets; default: none. */
  readonly hide?: readonly string[]
  /** Paths inside of hidden ones that commands may read all the same; default: none. */
  readonly show?: readonly string[]
  /** Hosts that commands may reach, such as `registry.npmjs.org` or `*.example.com`; default: none. */
  readonly hosts?: readonly string[]
  /** Other patterns of secrets, and of what runs as code later, which no command changes; default `secretPaths` and `codePaths`, as for the file tools. */
  readonly protect?: Omit<ProtectOptions, 'verdict'>
}

const paths = expected.list(expected.name, 'a list of paths')

/** What each option must be. */
export const osSandboxShape: Readonly<Record<keyof OsSandboxOptions, Expected>> = {
  folder: expected.required({ ...expected.name, words: 'the path of a folder' }),
  write: paths,
  hide: paths,
  show: paths,
  hosts: expected.list(expected.name, 'a list of hosts'),
  protect: expected.options({ secrets: protectShape.secrets, code: protectShape.code }),
}

/**
 * Adds, to the options that bubblewrap gets, that nothing of the system can be set through `/proc` (OS-3), and starts it where the number of processes is
 * held, if that is possible (OS-5). Where the options are many, the package has another shell open a file with them as descriptor 9.
 */
const cover = `
bwrap() {
  local all=("$@") at=0
  while [ "$at" -lt "$#" ] && [ "\${all[at]}" != -- ]; do at=$((at + 1)); done
  local covers=(); for place in sys fs acpi scsi driver; do covers+=(--ro-bind-try "/proc/$place" "/proc/$place"); done
  local apart=(unshare --pid --fork --mount --mount-proc) held=()
  if [ -n "$LOOM_PIDS" ] && "\${apart[@]}" true 2>/dev/null; then
    held=("\${apart[@]}" --kill-child bash --noprofile --norc -c 'echo "$0" 2>/dev/null > /proc/sys/kernel/pid_max; exec "$@"' "$LOOM_PIDS")
  fi
  exec "\${held[@]}" bwrap "\${all[@]:0:at}" "\${covers[@]}" "\${all[@]:at}"
}
function /bin/sh {
  [ "$3 $5" = 'srt-args bwrap' ] || exec /bin/sh "$@"
  exec 9<"$4" || exit; shift 5; bwrap "$@"
}
`

/**
 * Runs in the sandbox, with nothing but descriptors 0 to 4: sets the limits and becomes the program. What limits cannot be set, because lower ones are set
 * already, stay as they are.
 */
const script = `
if [ -w /proc/sys/kernel/core_pattern ]; then echo 'The sandbox leaves /proc/sys open: the command was not run.' >&2; exit 126; fi
for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 4 ] && { exec {fd}>&-; } 2>/dev/null; done
{ ulimit -c 0; ulimit -u "$LOOM_PROCESSES"; ulimit -d "$LOOM_MEMORY"; } 2>/dev/null
export TMPDIR="$LOOM_TMPDIR"; program=()
for ((number = 0; number < LOOM_ARGS; number += 1)); do name=LOOM_ARG_$number; program+=("\${!name}"); unset "$name"; done
unset LOOM_ARGS LOOM_PROCESSES LOOM_MEMORY LOOM_TMPDIR LOOM_PIDS fd name number
exec -- "\${program[@]}"
`

/** Numbers below this one are given to the first processes of a namespace, and never again. */
const reservedPids = 300
const mostPids = 4_194_304

/** The largest number of a process of a command; undefined where the system holds their number by itself, or where a namespace has no such bound. */
function pidsFor({ processes }: SandboxLimits): number | undefined {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isOwn = major > 6 || (major === 6 && minor >= 14)
  return process.getuid?.() === 0 && isOwn ? Math.min(mostPids, reservedPids + processes) : undefined
}

/** What the package lets every command write, unless it is forbidden: its own folders. */
const ownFolders = (): readonly string[] => ['/tmp/claude', join(homedir(), '.npm/_logs'), join(homedir(), '.claude/debug')]

/** What is known of this process: once a command has run in the sandbox, it can be used. */
let isUsable = false

/**
 * The sandbox of the operating system, for commands in a folder. On Linux, with `bubblewrap`, `socat` and `ripgrep` of the system.
 *
 * @example
 * const tools = shellTools({ cwd: './workspace', sandbox: osSandbox({ folder: './workspace', hosts: ['registry.npmjs.org'] }) })
 */
export function osSandbox(options: OsSandboxOptions): Sandbox {
  checkOptions('osSandbox', options, osSandboxShape)
  const { write = [], hide = [], show = [], hosts = [], protect = {} } = options
  const rules: Rules = {
    write: [options.folder, ...write].map((path) => resolve(path)),
    hide: hide.map((path) => resolve(path)),
    show: show.map((path) => resolve(path)),
    hosts,
    protect,
  }
  return {
    name: 'the sandbox of the operating system',
    async problem() {
      if (isUsable) return undefined
      const found = await problemOf()
      isUsable = found === undefined
      return found
    },
    wrap: async (program, limits) => wrap(await loadRuntime(), program, { rules, limits }),
  }
}

interface Rules {
  readonly write: readonly string[]
  readonly hide: readonly string[]
  readonly show: readonly string[]
  readonly hosts: readonly string[]
  readonly protect: Protection
}

const literal = (path: string): RuntimePath => ({ path, literal: true })

/** The configuration of the package for one command. */
function configOf({ write, hide, show }: Rules, { secrets, code }: HiddenPaths, temporary: string): RuntimeConfig {
  return {
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: [...secrets, ...hide].map(literal),
      allowRead: [...show, runtimeFolder()].map(literal),
      allowWrite: [...write, temporary].map(literal),
      denyWrite: [...secrets, ...hide, ...code, ...ownFolders()].map(literal),
    },
  }
}

interface Wrapping {
  readonly rules: Rules
  readonly limits: SandboxLimits
}

async function wrap(runtime: Runtime, program: ProgramToConfine, { rules, limits }: Wrapping): Promise<ConfinedProgram> {
  const { file, args, env, signal } = program
  const commandId = randomBytes(24).toString('base64url')
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'loom-command-')))
  let closeNetwork = async (): Promise<void> => {}
  let wrapped = ''
  const end = async (): Promise<void> => {
    rmSync(temporary, { recursive: true, force: true })
    if (wrapped !== '') runtime.cleanupAfterCommand()
    await closeNetwork()
  }
  try {
    closeNetwork = await openNetwork(runtime, commandId, rules.hosts)
    const config = configOf(rules, await findHidden(rules.write, rules.protect), temporary)
    wrapped = await runtime.wrapWithSandbox(script, 'bash', config, signal, { commandId })
  } catch (error) {
    await end()
    throw error
  }
  const given = [file, ...args].map((value, number) => [`LOOM_ARG_${number}`, value] as const)
  const settings = {
    LOOM_ARGS: given.length,
    LOOM_PROCESSES: limits.processes,
    LOOM_MEMORY: Math.ceil(limits.memory / 1024),
    LOOM_TMPDIR: temporary,
    LOOM_PIDS: pidsFor(limits) ?? '',
  }
  const variables = Object.fromEntries([...given, ...Object.entries(settings).map(([name, value]) => [name, String(value)] as const)])
  return { file: 'bash', args: ['--noprofile', '--norc', '-c', cover + wrapped], env: { ...env, ...variables }, end }
}

const install = 'On Debian: apt-get install bubblewrap socat ripgrep'

/** Why the sandbox cannot be used: found by using it. */
async function problemOf(): Promise<string | undefined> {
  if (process.platform !== 'linux')
    return `The sandbox of the operating system is there on Linux only, and this is ${process.platform}. Use a container.`
  try {
    const runtime = await loadRuntime()
    const { errors } = await runtime.checkDependenciesAsync()
    if (errors.length > 0) return `The sandbox of the operating system is not complete: ${errors.join('; ')}. ${install}`
    const wrapped = await runtime.wrapWithSandbox('true', 'bash', nothing, undefined, {})
    const problem = await tried(wrapped)
    runtime.cleanupAfterCommand()
    return problem && `The system allows no sandbox: ${problem}. In a container, allow user namespaces, or use the container itself as the sandbox.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Why a wrapped command did not run. */
function tried(wrapped: string): Promise<string | undefined> {
  const { PATH = '/usr/bin:/bin' } = process.env
  return new Promise((settle) => {
    execFile('bash', ['--noprofile', '--norc', '-c', wrapped], { env: { PATH }, timeout: 30_000 }, (error, _, said) => {
      settle(error ? said.trim().slice(0, 500) || error.message.slice(0, 500) : undefined)
    })
  })
}
