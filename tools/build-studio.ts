/** Builds the studio into the static files of the server: names with hashes, no script or style inside of the page. */
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { root } from './workspace.ts'

/** Where the server finds the studio. */
export const studioFolder: string = join(root, 'packages/server/static')

/** Builds the studio; returns how many files it has. */
export async function buildStudio(): Promise<number> {
  const built = await build({
    configFile: false,
    root: join(root, 'packages/studio'),
    base: '/',
    logLevel: 'warn',
    publicDir: false,
    resolve: { conditions: ['loom-source', 'browser', 'import', 'module', 'default'] },
    // Also where tests build it: what they look at is what is published.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: studioFolder,
      emptyOutDir: true,
      target: 'es2024',
      cssTarget: 'chrome125',
      // A file in a page as a data URL is nothing that a policy of `self` allows.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  return [built].flat().flatMap((one) => (one as Rolldown.RolldownOutput).output).length
}
