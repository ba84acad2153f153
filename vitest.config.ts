import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['loom-source'] },
  ssr: { resolve: { conditions: ['loom-source', 'node', 'import', 'module', 'default'], externalConditions: ['loom-source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // A worker for every file: what a broken journal drives mad on purpose must not go on beside the next test.
    pool: 'threads',
    isolate: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/index.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
