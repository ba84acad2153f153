/** Programs that run in processes of their own: each is beside the module that starts it, as source or as built. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

/** How a program is run: the arguments of Node, and the environment. */
export interface Program {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** The program of this name beside a module. Short-lived processes share a compile cache. */
export function programOf(module: string, name: string): Program {
  const path = fileURLToPath(module.replace(/[^/]+\.(ts|js)$/, `${name}.$1`))
  const file = path.endsWith('.ts') ? bundleOf(path) : path
  return { args: [file], env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env } }
}

const bundles = new Map<string, string>()

/** A source program and all that it imports, as one file: loading hundreds takes longer than most of these processes live. */
function bundleOf(path: string): string {
  const known = bundles.get(path)
  if (known !== undefined) return known
  const { outputFiles } = buildSync({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['loom-source'],
    sourcemap: 'inline',
    sourcesContent: false,
  })
  const file = store(outputFiles.map(({ text }) => text).join('\n'))
  bundles.set(path, file)
  return file
}

/** Stores a program under a name that is made of its content: the same program is always the same file, and another one never is. */
function store(program: string): string {
  const folder = join(tmpdir(), 'loom-programs')
  const file = join(folder, `${createHash('sha256').update(program).digest('hex')}.mjs`)
  const draft = `${file}.${randomUUID()}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(draft, program)
  renameSync(draft, file)
  return file
}
