/**
 * Bundlers over the installed tarballs, with and without the packages of providers. Every bundle is moved away from its `node_modules` and run: what it
 * needs it must contain.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { build as vite } from 'vite'
import { node } from './execute.ts'
import { attempt, type Row } from './row.ts'

/** A project that is bundled, and what its bundles must find. */
export interface Bundled {
  readonly project: string
  readonly hasProviders: boolean
  /** A folder outside every project. */
  readonly outside: string
}

type Platform = 'browser' | 'node'
interface Job {
  readonly project: string
  readonly entry: string
  readonly out: string
  readonly platform: Platform
}
/** Bundles into a folder; `main.js` is the file that runs. */
type Bundler = (job: Job) => Promise<void>

const withEsbuild: Bundler = async ({ entry, out, platform }) => {
  await esbuild({ entryPoints: { main: entry }, outdir: out, bundle: true, splitting: true, format: 'esm', platform, logLevel: 'silent' })
}

const withVite: Bundler = async ({ project, entry, out, platform }) => {
  const lib = { entry: { main: entry }, formats: ['es' as const], fileName: 'main' }
  const target = platform === 'node' ? { ssr: entry, rolldownOptions: { output: { entryFileNames: 'main.js' } } } : { lib }
  await vite({
    configFile: false,
    root: project,
    logLevel: 'silent',
    ...(platform === 'node' && { ssr: { noExternal: true as const } }),
    build: { outDir: out, emptyOutDir: true, target: 'esnext', ...target },
  })
}

interface WebpackStats {
  toJson(): { errors: { message: string }[] }
}
type Webpack = (config: object, done: (error: Error | null, stats?: WebpackStats) => void) => void

/** Webpack is not among the dependencies of the workspace: it comes from the toolbox. */
function webpackOf(toolbox: string): Bundler {
  const webpack = createRequire(join(toolbox, 'package.json'))('webpack') as Webpack
  return ({ project, entry, out, platform }) => {
    const config = {
      mode: 'production',
      target: platform === 'node' ? 'node22' : ['web', 'es2022'],
      context: project,
      entry: { main: entry },
      experiments: { outputModule: true },
      output: { path: out, module: true, chunkFormat: 'module', chunkLoading: 'import', filename: '[name].js', publicPath: 'auto' },
    }
    return new Promise((resolve, reject) => {
      webpack(config, (error, stats) => {
        const { errors = [] } = stats?.toJson() ?? {}
        if (error) reject(error)
        else if (errors.length > 0) reject(new Error(errors.map(({ message }) => message).join('\n')))
        else resolve()
      })
    })
  }
}

/** Bundles for both platforms with each bundler, and runs what came out. Without a toolbox there is no webpack. */
export async function bundleAll(bundled: Bundled, toolbox?: string): Promise<readonly Row[]> {
  const bundlers: Readonly<Record<string, Bundler>> = {
    esbuild: withEsbuild,
    ...(toolbox !== undefined && { Vite: withVite, webpack: webpackOf(toolbox) }),
  }
  const { project, hasProviders } = bundled
  const entry = join(project, 'bundle.js')
  cpSync(join(import.meta.dirname, 'bundle-entry.js'), join(project, 'bundle-entry.js'))
  writeFileSync(entry, `import { main } from './bundle-entry.js'\nconsole.log(JSON.stringify(await main()))\n`)
  const rows: Row[] = []
  for (const [name, bundler] of Object.entries(bundlers)) {
    for (const platform of ['browser', 'node'] as const) {
      const out = join(bundled.outside, `${name}-${platform}-${hasProviders}`)
      const what = `${name}, ${platform}, ${hasProviders ? 'providers installed' : 'no providers'}`
      rows.push(await attempt('bundlers', what, () => tryBundle(bundler, { project, entry, out, platform }, hasProviders)))
    }
  }
  return rows
}

async function tryBundle(bundler: Bundler, job: Job, hasProviders: boolean): Promise<string> {
  const { out, platform } = job
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await bundler(job)
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  const printed = await node([join(out, 'main.js')], { cwd: out })
  checkOutcome(printed.split('\n').find((line) => line.startsWith('{')) ?? printed, { platform, hasProviders })
  return `${Math.round(gzipSync(wholeOf(out)).length / 1024)} kB zipped in all, main.js ${Math.round(statSync(join(out, 'main.js')).size / 1024)} kB`
}

/** Throws unless the program of a bundle did what it should. */
export function checkOutcome(printed: string, { platform, hasProviders }: { platform: Platform; hasProviders: boolean }): void {
  const expected = {
    text: 'It is 4.',
    journal: platform === 'node' ? 'sqlite' : 'memory',
    provider: hasProviders ? 'anthropic.messages' : 'npm install @ai-sdk/anthropic',
  }
  if (printed.trim() !== JSON.stringify(expected)) throw new Error(`It printed ${printed.trim()} and not ${JSON.stringify(expected)}.`)
}

function wholeOf(folder: string): Buffer {
  return Buffer.concat(globSync('**/*.js', { cwd: folder }).map((file) => readFileSync(join(folder, file))))
}
