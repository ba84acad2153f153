/** Programs that run in processes of their own: each is beside the module that starts it, as source or as built. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How a program is run: the arguments of Node, and the environment. */
export interface Program {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** The program of this name beside a module. Short-lived processes share a compile cache. */
export function programOf(module: string, name: string): Program {
  const path = fileURLToPath(module.replace(/[^/]+\.(ts|js)$/, `${name}.$1`))
  // Run from source, programs are too.
  const conditions = module.endsWith('.ts') ? ['--conditions=loom-source'] : []
  return { args: [...conditions, path], env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env } }
}
