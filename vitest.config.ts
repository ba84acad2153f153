import { globSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/**
 * Files that need a worker of their own: they replace globals, load modules again, start servers that end with it, count what it holds, leave behind what
 * never ends, or compute so much that what ran before them in the worker would slow them down.
 */
const alone = [
  'packages/kernel/test/purity.test.ts',
  'packages/agent/test/{leaks,first-use,adversarial*}.test.ts',
  'packages/journals/test/{postgres-*,prune,migrate,transfer-forks,sqlite-commits,sqlite-table}.test.ts',
  'packages/journals/test/file-{crash,damage}.test.ts',
  'packages/testing/test/regression/same-run.test.ts',
  'test/{browser,consumer}.test.ts',
  'test/{golden-databases,laws,wires}/*.test.ts',
]

/**
 * Files that share a few workers and load each module once for all of them: their tests leave a worker as they found it. Every other file has a worker
 * of its own: what a broken journal does to its process on purpose must not continue beside the next test.
 */
const shared = globSync(
  [
    'packages/{kernel,agent,models,tools,journals}/{src,test}/**/*.test.ts',
    'packages/testing/test/{history,regression}/*.test.ts',
    'packages/harness/test/wire/*.test.ts',
    '{test,examples}/**/*.test.ts',
  ],
  { cwd: import.meta.dirname, exclude: alone },
)

const all = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts']

/** Tests that open pages of the studio. */
const pages = ['packages/studio/test/*.test.ts']

export default defineConfig({
  resolve: { conditions: ['loom-source'] },
  ssr: { resolve: { conditions: ['loom-source', 'node', 'import', 'module', 'default'], externalConditions: ['loom-source'] } },
  test: {
    pool: 'threads',
    // One for each core. Many tests wait for a disk, a server or another process meanwhile.
    maxWorkers: '100%',
    testTimeout: 60_000,
    // Many tests make tools and hooks throw, which is logged in development.
    silent: 'passed-only',
    hookTimeout: 60_000,
    // Tests start hundreds of programs from source. Node compiles each version of a module once for all of them, and compares contents before it uses it.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    projects: [
      { extends: true, test: { name: 'isolated', include: all, exclude: [...configDefaults.exclude, ...shared, ...pages], isolate: true } },
      // On a busy machine a page in Chromium now and then gets no first answer, for a reason that is not known yet: it is opened anew.
      { extends: true, test: { name: 'pages', include: pages, isolate: true, retry: 2 } },
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/index.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
