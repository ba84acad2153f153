/** The handler and the client outside of Node: bundled, and run where only the language and the web's own globals exist. */
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

const program = `
import { memoryJournal, agent } from '@loom-agent/agent'
import { createHandler, createKey, keyAuth } from '@loom-agent/server'
import { createClient } from '@loom-agent/server/client'

const reply = [
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'Hello.' },
  { type: 'text-end', id: '1' },
  { type: 'finish', usage: { inputTokens: {}, outputTokens: {} }, finishReason: { unified: 'stop' } },
]
const model = {
  specificationVersion: 'v4', provider: 'test', modelId: 'one', supportedUrls: {},
  doStream: async () => ({ stream: new ReadableStream({ start(to) { for (const part of reply) to.enqueue(part); to.close() } }) }),
}
const { key, record } = await createKey({ name: 'app', scopes: ['admin'] })
const clerk = agent({ name: 'clerk', model, journal: memoryJournal() })
const client = createClient({ url: 'https://edge.example/api/v1', key, fetch: createHandler({ agents: [clerk], auth: keyAuth([record]) }) })
const { thread } = await client.startRun({ agent: 'clerk' }, { input: 'Hi' })
for await (const { event, data } of client.streamThread({ thread }, { until: 'rest' })) console.log(event, data.type ?? '')
console.log((await client.getFrame({ thread }, {})).history.length)
`

const webNames = [
  ...[
    'AbortController',
    'AbortSignal',
    'Blob',
    'DOMException',
    'Event',
    'EventTarget',
    'FormData',
    'Headers',
    'ReadableStream',
    'Request',
    'Response',
  ],
  ...['TextDecoder', 'TextEncoder', 'TransformStream', 'URL', 'URLSearchParams', 'WritableStream', 'atob', 'btoa', 'clearInterval', 'clearTimeout'],
  ...['crypto', 'performance', 'queueMicrotask', 'setInterval', 'setTimeout', 'structuredClone'],
] as const

test('they start a run, stream it and look at its frame', async () => {
  const { outputFiles } = buildSync({
    stdin: { contents: program, resolveDir: join(import.meta.dirname), loader: 'js' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'esnext', conditions: ['loom-source'], logLevel: 'error' },
    external: ['node:*', ...builtinModules, 'gpt-tokenizer', 'gpt-tokenizer/*'],
  })
  const code = outputFiles[0]?.text ?? ''
  expect(code.match(/^\s*import\b.*|\bimport\("node:[^"]+"\)/gm)).toBeNull()
  const said: string[] = []
  const web = Object.fromEntries(webNames.map((name) => [name, globalThis[name]]))
  const context = createContext({ ...web, console: { log: (...words: readonly unknown[]) => said.push(words.join(' ').trim()), error: () => {} } })
  await runInContext(`(async () => {\n${code}\n})()`, context)
  expect(said).toContain('event run.finished')
  expect(said.slice(-2)).toEqual(['end', '2'])
})
