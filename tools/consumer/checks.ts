/** The two forms of the consumer check: the whole one, and a quick one that needs no registry. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace.ts'
import { bundleAll } from './bundlers.ts'
import { addPrograms, type Compiler, compileAll } from './compile.ts'
import { npm } from './execute.ts'
import { checkContents, lintPackages } from './judge-packages.ts'
import { measure } from './measure.ts'
import { tryNext } from './next.ts'
import { type Packed, pack } from './packages.ts'
import { runPrograms } from './programs.ts'
import { createProject, pinned, withoutRegistry } from './project.ts'
import type { Row } from './row.ts'

const typescript7: Compiler = { version: '7', program: join(root, 'node_modules/typescript/bin/tsc') }
const providers = ['@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai', '@ai-sdk/openai-compatible']
/** Node 22.16, the oldest one that the packages promise, strips types only with a flag. */
const oldest = { label: 'programs, Node 22.16', flags: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'] }

/** One compiler, three programs, esbuild; what third parties made comes from this workspace. */
export async function quickCheck(folder: string): Promise<readonly Row[]> {
  const packed = await pack(join(folder, 'tarballs'))
  const extras = await withoutRegistry(packed, ['zod', '@types/node'], join(folder, 'third-party'))
  const project = await createProject(join(folder, 'user'), packed, extras)
  addPrograms(project, packed)
  return [
    ...(await checkContents(project, packed)),
    ...(await compileAll(project, [typescript7])),
    ...(await runPrograms(project, { only: ['approval', 'near-misses', 'tool-call'] })),
    ...(await bundleAll({ project, hasProviders: false, outside: join(folder, 'bundles') })),
  ]
}

/** Everything. */
export async function wholeCheck(folder: string): Promise<readonly Row[]> {
  const packed = await pack(join(folder, 'tarballs'))
  const users = { zod: pinned('zod'), '@types/node': pinned('@types/node') }
  const project = await createProject(join(folder, 'user'), packed, users)
  const umbrella = await createProject(join(folder, 'umbrella'), umbrellaOf(packed))
  const withProviders = await createProject(join(folder, 'providers'), packed, Object.fromEntries(providers.map((name) => [name, pinned(name)])))
  const toolbox = await createToolbox(join(folder, 'toolbox'), packed)
  const compilers = [typescript7, { version: '5.9', program: join(toolbox, 'node_modules/typescript5/lib/tsc.js') }]
  const outside = join(folder, 'bundles')
  const node22 = join(toolbox, 'node_modules/node-22-linux-x64/bin/node')
  addPrograms(project, packed)
  return [
    ...(await checkContents(project, packed)),
    ...(await lintPackages(toolbox, project, packed)),
    ...(await compileAll(project, compilers)),
    ...(await runPrograms(project)),
    ...(existsSync(node22) ? await runPrograms(project, { ...oldest, program: node22 }) : []),
    ...(await bundleAll({ project, hasProviders: false, outside }, toolbox)),
    ...(await bundleAll({ project: withProviders, hasProviders: true, outside }, toolbox)),
    ...(await tryNext(toolbox)),
    ...(await measure(umbrella)),
  ]
}

/** The umbrella and what it needs of this workspace. */
function umbrellaOf(packed: readonly Packed[]): readonly Packed[] {
  const { dependencies = {} } = packed.find(({ name }) => name === 'loom-agent') ?? {}
  return packed.filter(({ name }) => name === 'loom-agent' || name in dependencies)
}

/** The tools that the workspace does not need, as its own lock file says, and the tarballs beside them. */
async function createToolbox(folder: string, packed: readonly Packed[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(import.meta.dirname, 'toolbox', file), join(folder, file))
  await npm(['ci', '--ignore-scripts', '--prefer-offline'], folder)
  await npm(['install', '--no-save', '--ignore-scripts', '--prefer-offline', ...packed.map(({ tarball }) => tarball)], folder)
  return folder
}
