/** The TypeScript compiler, run over programs that are only texts. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { root } from './workspace.ts'

/** Programs by file name, and how to compile them. */
export interface Compilation {
  readonly programs: Readonly<Record<string, string>>
  /** Files of the workspace that are compiled along with them. */
  readonly files?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
  readonly flags?: readonly string[]
}

/** Compiles under the rules of the workspace, in a folder inside it so that programs find its packages; returns what the compiler printed. */
export async function compile({ programs, files = [], options = {}, flags = [] }: Compilation): Promise<string> {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'programs-'))
  try {
    await Promise.all(Object.entries(programs).map(([name, code]) => writeFile(join(folder, name), code)))
    const config = {
      extends: join(root, 'tsconfig.test.json'),
      compilerOptions: options,
      include: [],
      files: [...Object.keys(programs), ...files.map((file) => join(root, file))],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const printed = await run(['-p', folder, '--pretty', 'false', ...flags])
    return printed.replaceAll(`${relative(root, folder)}/`, '')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A compiler that finds errors exits with a code other than 0: only one that prints nothing has failed. */
function run(flags: readonly string[]): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [compiler, ...flags], { cwd: root }, (error, stdout, stderr) => {
      if (error && stdout === '') reject(new Error(`The compiler did not run: ${stderr}`))
      else resolve(stdout)
    })
  })
}

/** One error: where it is, and its message with all lines that the compiler adds below. */
export interface CompileError {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly message: string
}

/** The errors in what the compiler printed. */
export function errorsIn(printed: string): readonly CompileError[] {
  return [...printed.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+): (.*(?:\n .*)*)/gm)].map(([, file = '', line, code = '', message = '']) => ({
    file,
    line: Number(line),
    code,
    message,
  }))
}
