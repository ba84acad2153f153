/**
 * A real server of the protocol of 2025, written by hand, that does what a script says: it changes definitions, dies, stalls, sends garbage, floods.
 * Arguments: the script, a folder for its ledger and its tasks, and `http` where it is not spoken to by lines.
 */
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Deed, Script, ScriptedTool } from './script.ts'

const [, , scriptFile = '', folder = '', mode = 'stdio'] = process.argv
const script = (): Script => JSON.parse(readFileSync(scriptFile, 'utf8')) as Script
const ledger = (line: string): void => appendFileSync(join(folder, 'ledger'), `${line}\n`)
const taskFile = (id: string): string => join(folder, `${id}.task`)

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown }
  readonly result?: unknown
  readonly error?: unknown
}

type Send = (message: object) => void

const waiting = new Map<number | string, (message: Message) => void>()
let asked = 0

/** Sends a request to the client, and resolves with its answer. */
function request(send: Send, method: string, params: object): Promise<Message> {
  asked += 1
  const id = `ask-${asked}`
  send({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const text = (value: unknown): object => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] })

const run = promisify(execFile)

/** Does what a tool does; the last result is the reply. */
async function perform(deeds: readonly Deed[], { params }: Message, send: Send): Promise<object> {
  let result = text('done')
  const beside: Promise<Message>[] = []
  for (const deed of deeds) {
    if ('effect' in deed) ledger(deed.effect)
    else if ('reply' in deed) result = deed.reply
    else if ('fail' in deed) throw Object.assign(new Error(deed.fail.message), { code: deed.fail.code })
    else if ('die' in deed) process.exit(3)
    else if ('stall' in deed) await new Promise(() => {})
    else if ('garbage' in deed) for (let line = 0; line < deed.garbage; line += 1) console.log(`no message ${line} {"jsonrpc"`)
    else if ('longLine' in deed) console.log('x'.repeat(deed.longLine))
    else if ('flood' in deed)
      for (let one = 0; one < deed.flood; one += 1) send({ method: 'notifications/message', params: { level: 'info', data: one } })
    else if ('progress' in deed) {
      const { progressToken } = (params?.['_meta'] ?? {}) as { progressToken?: unknown }
      for (let progress = 1; progress <= deed.progress; progress += 1) {
        await run('sleep', [String(deed.every / 1_000)])
        send({ method: 'notifications/progress', params: { progressToken, progress } })
      }
    } else if ('ask' in deed) result = text((await request(send, 'elicitation/create', { mode: 'form', ...deed.ask })).result)
    else if ('askBeside' in deed) beside.push(request(send, 'elicitation/create', { mode: 'form', ...deed.askBeside }))
    else if ('sample' in deed) result = text(await request(send, 'sampling/createMessage', { messages: [], maxTokens: 5 }))
    else if ('changed' in deed) send({ method: 'notifications/tools/list_changed' })
    else if ('spawn' in deed) ledger(String(spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid))
  }
  if (beside.length > 0) result = text((await Promise.all(beside)).map((one) => (one.result as { action?: string } | undefined)?.action))
  return result
}

const definitionOf = (tool: ScriptedTool): object => ({ inputSchema: { type: 'object', properties: {} }, ...tool, does: undefined })

/** A task is a file: any process of this server knows it. It is completed when the test has written its result. */
function taskOf(id: string): object {
  const createdAt = '2026-01-01T00:00:00Z'
  const status = existsSync(`${taskFile(id)}.result`) ? 'completed' : 'working'
  return { taskId: id, status, ttl: null, createdAt, lastUpdatedAt: createdAt, pollInterval: 50 }
}

const knownTask = (params: Message['params']): string => {
  const id = String(params?.['taskId'])
  if (!existsSync(taskFile(id))) throw Object.assign(new Error(`there is no task ${id}`), { code: -32602 })
  return id
}

async function answer(message: Message, send: Send): Promise<object> {
  const { method = '', params } = message
  const { speaks = '2025-11-25', tools = [], resources = [], prompts = [] } = script()
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: speaks,
        capabilities: {
          tools: { listChanged: true },
          ...(resources.length > 0 && { resources: {} }),
          ...(prompts.length > 0 && { prompts: {} }),
          ...(tools.some(({ execution }) => execution) && { tasks: { requests: { tools: { call: {} } }, cancel: {} } }),
        },
        serverInfo: { name: 'scripted', version: '1.0.0' },
      }
    case 'ping':
      return {}
    case 'tools/list':
      ledger('tools/list')
      return { tools: tools.map(definitionOf) }
    case 'tools/call': {
      const tool = tools.find(({ name }) => name === params?.['name'])
      if (!tool) return { content: [{ type: 'text', text: 'no such tool' }], isError: true }
      if (!params || !('task' in params)) return perform(tool.does ?? [], message, send)
      const id = randomUUID()
      writeFileSync(taskFile(id), JSON.stringify(params))
      ledger(`task created ${id}`)
      return { task: taskOf(id) }
    }
    case 'tasks/get':
      ledger(`task looked at ${knownTask(params)}`)
      return taskOf(knownTask(params))
    case 'tasks/result':
      return JSON.parse(readFileSync(`${taskFile(knownTask(params))}.result`, 'utf8')) as object
    case 'tasks/cancel':
      ledger(`task cancelled ${knownTask(params)}`)
      return taskOf(knownTask(params))
    case 'resources/list':
      return { resources: resources.map(({ uri, name }) => ({ uri, name })) }
    case 'resources/read':
      return { contents: resources.filter(({ uri }) => uri === params?.['uri']).map(({ uri, text: words }) => ({ uri, text: words })) }
    case 'prompts/list':
      return { prompts: prompts.map(({ name }) => ({ name })) }
    case 'prompts/get':
      return {
        messages: prompts.filter(({ name }) => name === params?.['name']).map((one) => ({ role: 'user', content: { type: 'text', text: one.text } })),
      }
    default:
      throw Object.assign(new Error(`unknown method ${method}`), { code: -32601 })
  }
}

async function take(message: Message, send: Send): Promise<void> {
  const { id, method } = message
  if (method === undefined) return waiting.get(id ?? '')?.(message)
  if (id === undefined) return
  try {
    send({ id, result: await answer(message, send) })
  } catch (error) {
    const { code = -32603, message: words } = error as Error & { code?: number }
    send({ id, error: { code, message: words } })
  }
}

const { begins, complains } = script()
if (complains !== undefined) process.stderr.write(complains)
if (begins === 'dies') process.exit(4)
if (mode === 'http') {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.method !== 'POST') return void outgoing.writeHead(405).end()
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message
      if (message.id === undefined) return void outgoing.writeHead(202).end()
      const send: Send = (one) => {
        if ('id' in one && one.id === message.id)
          outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...one }))
      }
      void take(message, send)
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(String((server.address() as { port: number }).port)))
} else {
  const send: Send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const message = JSON.parse(line) as Message
    if (begins === 'silent') return
    if (begins === 'garbage') return console.log('}{ hello')
    if (begins === 'dies when asked' && message.method === 'server/discover') process.exit(5)
    void take(message, send)
  })
  lines.on('close', () => process.exit(0))
}
