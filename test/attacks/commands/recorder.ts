/** Runs commands in a real shell whose programs only record the words that they were started with. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type PathRequest, parseCommand, type SimpleCommand } from '../../../packages/tools/src/command/parse.ts'

/** Programs that really run the command in their words. */
const realPrograms = ['env', 'nice', 'nohup', 'timeout', 'xargs', 'setsid', 'stdbuf', 'ionice', 'bash', 'dash', 'sh']

/** What a shell did: the words of each program that it ran, in order, and the files that it wrote. */
export interface Ran {
  readonly argvs: readonly (readonly string[])[]
  readonly written: readonly string[]
}

/** A folder of programs that record, and a folder to run commands in. */
export interface Recorder {
  /** Runs a command: every program ends with this code. With `real`, wrappers run what they are given. */
  run(command: string, how: { readonly shell: 'bash' | 'dash'; readonly code: 0 | 1; readonly real?: boolean }): Ran
  /** Makes a program that records, of this name or relative path. */
  ensure(name: string): void
  /** Makes what redirections need: files that are read, folders of those that are written. */
  prepare(paths: readonly PathRequest[]): void
  remove(): void
}

const between = '\u001f'
const end = '\u001e'
/** Commands of the shell itself, which it looks for as programs when they are switched off. */
const switchedOff = 'echo printf test true false pwd cd pushd popd kill type exit :'
const ownCommands = new Set(switchedOff.split(' '))

/** Makes the folders. */
export function makeRecorder(): Recorder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-recorder-')))
  const [stubs, wrapping, work, record] = ['stubs', 'wrapping', 'work', 'record'].map((name) => join(base, name)) as [string, string, string, string]
  for (const folder of [stubs, wrapping]) mkdirSync(folder)
  const setUp = join(base, 'set-up')
  writeFileSync(setUp, `enable -n ${switchedOff}\n`)
  for (const name of realPrograms) if (existsSync(`/usr/bin/${name}`)) symlinkSync(`/usr/bin/${name}`, join(wrapping, name))
  const stub = (exec: string): string =>
    `#!/bin/sh\n${exec}r="$\{0#${stubs}/}"\nfor a do r="$r${between}$a"; done\nprintf '%s${end}' "$r" >> '${record}'\nexit "$\{CODE:-0}"\n`
  const made = new Set<string>()
  const make = (place: string, text: string): void => {
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text)
    chmodSync(place, 0o755)
  }
  make(join(wrapping, 'sudo'), '#!/bin/sh\nwhile :; do case "$1" in -n) shift ;; -u) shift 2 ;; *) break ;; esac; done\nexec "$@"\n')
  make(join(wrapping, 'doas'), '#!/bin/sh\nexec "$@"\n')
  const clear = (): void => {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work)
    for (const name of made) if (name.includes('/')) make(join(work, name), stub(''))
  }
  clear()
  return {
    ensure(name) {
      if (made.has(name) || name.startsWith('/') || name.includes('..')) return
      made.add(name)
      make(join(name.includes('/') ? work : stubs, name), stub(''))
    },
    prepare(paths) {
      clear()
      for (const { access, path } of paths) {
        if (path.startsWith('/')) continue
        mkdirSync(dirname(join(work, path)), { recursive: true })
        if (access === 'read') writeFileSync(join(work, path), '')
      }
    },
    run(command, { shell, code, real = false }) {
      rmSync(record, { force: true })
      const env = { PATH: `${real ? `${wrapping}:` : ''}${stubs}`, BASH_ENV: setUp, CODE: String(code), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
      spawnSync(`/usr/bin/${shell}`, ['-c', command], { cwd: work, env, stdio: 'ignore', timeout: 10_000 })
      const text = existsSync(record) ? readFileSync(record, 'utf8') : ''
      const argvs = text
        .split(end)
        .slice(0, -1)
        .map((line) => line.split(between))
      return { argvs, written: readdirSync(work, { recursive: true, encoding: 'utf8' }).sort() }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  }
}

/** The commands that run when every program ends with this code, in groups: what a pipe joins has no order. */
export function expectedRuns(commands: readonly SimpleCommand[], code: 0 | 1): readonly (readonly SimpleCommand[])[] {
  const groups: SimpleCommand[][] = []
  let isRun = true
  for (const command of commands) {
    if (command.after !== '|') isRun = command.after !== (code === 0 ? '||' : '&&')
    if (!isRun) continue
    if (command.after === '|') groups.at(-1)?.push(command)
    else groups.push([command])
  }
  return groups
}

/** Groups of words with those of one group in a fixed order, and how many each group has. */
export function comparable(argvs: readonly (readonly string[])[], sizes: readonly number[]): readonly (readonly string[])[] {
  const sorted: (readonly string[])[] = []
  let at = 0
  for (const size of [...sizes, Number.POSITIVE_INFINITY]) {
    sorted.push(...argvs.slice(at, at + size).toSorted((a, b) => (a.join(between) < b.join(between) ? -1 : 1)))
    at += size
  }
  return sorted
}

/** What a shell did otherwise than the parser says of a plain command; undefined: nothing, or the command is unknown. */
export function difference(recorder: Recorder, command: string, shells: readonly ('bash' | 'dash')[] = ['bash']): string | undefined {
  const parsed = parseCommand(command)
  if ('unknown' in parsed) return undefined
  for (const { argv } of parsed.commands) recorder.ensure(argv[0] ?? '')
  const isConditional = parsed.commands.some(({ after }) => after === '||' || after === '&&')
  // dash cannot switch off its own commands.
  const isOwn = parsed.commands.some(({ argv }) => ownCommands.has(argv[0] ?? ''))
  for (const shell of shells) {
    if (shell === 'dash' && isOwn) continue
    for (const code of isConditional ? ([0, 1] as const) : ([0] as const)) {
      const groups = expectedRuns(parsed.commands, code)
      recorder.prepare(groups.flat().flatMap(({ redirections }) => redirections))
      const { argvs, written } = recorder.run(command, { shell, code })
      const sizes = groups.map(({ length }) => length)
      const [wanted, actual] = [
        comparable(
          groups.flat().map(({ argv }) => argv),
          sizes,
        ),
        comparable(argvs, sizes),
      ]
      if (JSON.stringify(wanted) !== JSON.stringify(actual))
        return `${shell} (code ${code}): ${JSON.stringify(command)} ran ${JSON.stringify(actual)}, and not ${JSON.stringify(wanted)}`
      const missing = groups
        .flat()
        .flatMap(({ redirections }) => redirections)
        .find(({ path }) => !path.startsWith('/') && !written.includes(path.replace(/^\.\//, '')))
      if (missing) return `${shell}: ${JSON.stringify(command)} did not open ${missing.path}`
    }
  }
  return undefined
}
