/**
 * Builds what is published: `npm run build`.
 *
 * The compiler writes the declarations. This program bundles the sources of each package by itself into one file an entry, plus chunks for what entries
 * share: a program then loads a handful of files instead of hundreds.
 *
 * A package never contains the code of another one. Two copies of a class or of a `WeakMap` would be two things.
 * Source maps name files under `src`, which is published too.
 */
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { buildStudio } from './build-studio.ts'
import { manifestOf, packageFolders } from './workspace.ts'

type Targets = { readonly [key: string]: string | Targets }

const sourceCondition = 'loom-source'

/**
 * Files that several others load, the first that applies to a module: what most programs that import the umbrella use, what else the main entry exports,
 * and what drives threads. Each holds the modules of some roots with all that these import.
 */
const sharedFiles = [
  { name: 'shared', roots: ['src/agent.ts', 'src/types/answer.ts', 'src/sqlite/index.ts', 'src/run-loom.ts'] },
  { name: 'exports', roots: ['src/index.ts'] },
  { name: 'driving', roots: ['src/thread/drive-epoch.ts'] },
]

/** Every path under a condition, at any depth. */
function pathsOf(targets: Targets, under: string, isUnder = false): readonly string[] {
  return Object.entries(targets).flatMap(([key, target]) => {
    const isHere = isUnder || key === under
    if (typeof target === 'string') return isHere ? [target] : []
    return pathsOf(target, under, isHere)
  })
}

/** The name of an output for the source of an entry: `src/file/index.ts` becomes `dist/file/index.js`. */
const outputOf = (source: string): string => source.replace(/^\.\/src\//, '').replace(/\.ts$/, '')

/** The graph of modules, as the bundler knows it. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** The modules that are loaded with one of the roots, and not on use. */
function modulesOf(roots: readonly string[]): (modules: Modules) => ReadonlySet<string> {
  let known: Set<string> | undefined
  return (modules) => {
    if (known) return known
    known = new Set(roots)
    // A set is iterated over with what is added meanwhile.
    for (const id of known) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) known.add(imported)
    return known
  }
}

async function bundle(folder: string): Promise<number> {
  const { exports = {}, imports = {} } = manifestOf(folder) as { exports?: Targets; imports?: Targets }
  const entries = new Set([...pathsOf(exports, sourceCondition), ...pathsOf(imports, sourceCondition)])
  const sources = [...entries].map((source) => join(folder, source))
  const groups = sharedFiles.map(({ name, roots }, index) => {
    const found = roots.map((root) => join(folder, root)).filter((root) => existsSync(root))
    // A package without such a root keeps in the first file what its entries share.
    const isIn = modulesOf(index === 0 && found.length === 0 ? sources : found)
    return { name: (id: string, modules: Modules) => (isIn(modules).has(id) ? name : null), debugName: name, minShareCount: 2, priority: 9 - index }
  })
  for (const file of globSync('dist/**/*.js{,.map}', { cwd: folder })) rmSync(join(folder, file))
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      sourcemap: true,
      lib: { entry: Object.fromEntries([...entries].map((source) => [outputOf(source), join(folder, source)])), formats: ['es'] },
      rolldownOptions: {
        external: (id) => !id.startsWith('.') && !id.startsWith(folder),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          sourcemapExcludeSources: true,
          comments: { jsdoc: false, legal: false, annotation: true },
          // What else several files use, other entries and code on use, is one file a folder: who needs one module of it does not load all.
          codeSplitting: {
            groups: [...groups, { name: (id) => `${basename(dirname(id))}-on-use`, debugName: 'on use', minShareCount: 2 }],
          },
        },
      },
    },
  })
  return [built].flat().flatMap((one) => (one as Rolldown.RolldownOutput).output.filter(({ type }) => type === 'chunk')).length
}

/** The compiler leaves behind what it wrote of sources that are gone. */
function removeStale(folder: string): void {
  for (const file of globSync('dist/**/*.{d.ts,d.ts.map,js,js.map}', { cwd: folder })) {
    const source = file.replace(/^dist/, 'src').replace(/\.(d\.ts|js)(\.map)?$/, '.ts')
    if (!existsSync(join(folder, source))) rmSync(join(folder, file))
  }
}

/** The packages whose declarations alone come from the compiler. */
const bundled = packageFolders().filter((folder) => readFileSync(join(folder, 'tsconfig.json'), 'utf8').includes('"emitDeclarationOnly": true'))

for (const folder of packageFolders()) removeStale(folder)
const [counts, studio] = await Promise.all([Promise.all(bundled.map(bundle)), buildStudio()])
console.log(`build: ${bundled.length} packages in ${counts.reduce((sum, count) => sum + count, 0)} files, the studio in ${studio}`)
