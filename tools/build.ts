/**
 * Builds what is published: `npm run build`.
 *
 * The compiler writes the declarations. This program bundles the sources of each package by itself into one file an entry, plus chunks for what entries
 * share: a program then loads a handful of files instead of hundreds.
 *
 * BUILD-1: a package never contains the code of another one. Two copies of a class or of a `WeakMap` would be two things.
 * BUILD-2: source maps name files under `src`, which is published too.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

interface PackageJson {
  readonly exports?: Targets
  readonly imports?: Targets
}
type Targets = { readonly [key: string]: string | Targets }

const root = join(import.meta.dirname, '..')
const sourceCondition = 'loom-source'

/** Every path behind a condition, whatever stands around it. */
function pathsOf(targets: Targets, under: string, isUnder = false): readonly string[] {
  return Object.entries(targets).flatMap(([key, target]) => {
    const isHere = isUnder || key === under
    if (typeof target === 'string') return isHere ? [target] : []
    return pathsOf(target, under, isHere)
  })
}

async function bundle(folder: string): Promise<number> {
  const { exports = {}, imports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
  const entries = [...new Set([...pathsOf(exports, sourceCondition), ...pathsOf(imports, sourceCondition)])]
  for (const file of globSync('dist/**/*.{js,js.map}', { cwd: folder })) rmSync(join(folder, file))
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    packages: 'external',
    external: Object.keys(imports),
    sourcemap: true,
    sourcesContent: false,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  })
  return Object.keys(metafile.outputs).filter((file) => file.endsWith('.js')).length
}

/** The packages whose declarations alone come from the compiler. */
const bundled = globSync('packages/*/tsconfig.json', { cwd: root })
  .filter((file) => readFileSync(join(root, file), 'utf8').includes('"emitDeclarationOnly": true'))
  .map((file) => join(root, file, '..'))
  .sort()

const counts = await Promise.all(bundled.map(bundle))
console.log(`build: ${bundled.length} packages in ${counts.reduce((sum, count) => sum + count, 0)} files`)
