/** The chat on workerd: bundled without a module of Node, in the runtime of workers itself, over real HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { buildSync } from 'esbuild'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { page, partsOf, textOf } from './chat-page.ts'

const platform = `${process.platform}-${process.arch === 'x64' ? '64' : process.arch}`
const workerd = createRequire(import.meta.url).resolve(`@cloudflare/workerd-${platform}/bin/workerd`)
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Without `nodejs_compat`: a module of Node could not even be loaded. */
const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [(className = "Clerk", uniqueKey = "clerk", preventEviction = true)],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "clerks", durableObjectNamespace = "Clerk")],
);
`

/** The forms that the runtime asks for. What an object does belongs to no request, so a client that leaves takes nothing with it. */
const entry = `import { respond } from './chat-worker.ts'
export class Clerk {
  fetch = respond
}
export default { fetch: (request, { clerks }) => clerks.get(clerks.idFromName('clerk')).fetch(request) }`

/** The worker as one module, and every import that is left in it. */
function bundle(): { readonly code: string; readonly imports: readonly string[] } {
  const { outputFiles } = buildSync({
    stdin: { contents: entry, resolveDir: import.meta.dirname, loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', target: 'esnext', conditions: ['loom-source'], logLevel: 'error' },
    external: ['node:*', ...builtinModules, 'gpt-tokenizer', 'gpt-tokenizer/*'],
  })
  const code = outputFiles[0]?.text ?? ''
  return { code, imports: code.match(/^\s*import\b.*|\bimport\("node:[^"]+"\)/gm) ?? [] }
}

/** Starts workerd with the worker. Returns the address that it listens on. */
async function startWorker(code: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'loom-workerd-'))
  writeFileSync(join(folder, 'worker.js'), code)
  writeFileSync(join(folder, 'config.capnp'), config)
  const stdio = ['ignore', 'inherit', 'inherit', 'pipe'] as const
  const child: ChildProcess = spawn(workerd, ['serve', join(folder, 'config.capnp'), '--control-fd=3'], { stdio: [...stdio] })
  const dead = new AbortController()
  child.once('exit', () => dead.abort())
  ends.push(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const [line] = (await once(createInterface({ input: child.stdio[3] as Readable }), 'line', { signal: dead.signal })) as [string]
  return `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`
}

test('useChat speaks, calls, approves, leaves and comes back', async () => {
  const { code, imports } = bundle()
  expect(imports).toEqual([])
  const url = await startWorker(code)
  const api = `${url}/api/chat`
  const chat = page(api)
  await chat.sendMessage({ text: 'Pay.' })
  expect([chat.status, chat.error]).toEqual(['ready', undefined])
  expect(partsOf(chat.lastMessage)).toMatchObject([
    { type: 'reasoning', text: 'I should look.' },
    { type: 'text', text: 'Let me look.' },
    { type: 'tool-look', state: 'output-available', input: { at: 'x' }, output: 'seen' },
    { type: 'text', text: 'I pay.' },
    { type: 'tool-pay', state: 'approval-requested', input: { amount: 5 } },
  ])
  const asked = chat.lastMessage?.parts.find((part) => part.type === 'tool-pay') as { approval?: { id: string } }
  await chat.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved: true })
  await until(() => textOf(chat.lastMessage) === 'Let me look.I pay.That was it.')
  await until(() => chat.status === 'ready')
  expect(chat.lastMessage?.parts.find((part) => part.type === 'tool-pay')).toMatchObject({ state: 'output-available', output: 'paid' })
  const sent = chat.sendMessage({ text: 'Go.' })
  await until(() => textOf(chat.lastMessage) === 'I begin.')
  await chat.stop()
  await sent
  const again = chat.resumeStream()
  await until(() => chat.status === 'streaming')
  await fetch(`${url}/go`)
  await again
  expect([chat.error, textOf(chat.lastMessage)]).toEqual([undefined, 'I begin.I end.'])
})
