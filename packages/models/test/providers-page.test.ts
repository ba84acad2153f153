/** The program of the page about providers: it runs on each of them, and one line differs. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type WireReply, type WireServer, wireServer } from '@loom-agent/harness/wire'
import { describe, expect, test } from 'vitest'
import { snippetsOf } from '../../../tools/run-doc-snippets.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/guides/providers.md'), 'utf8')
const program = snippetsOf(page)[0]?.code ?? ''
const given = "const model = 'offline'"
/** The lines that the page offers. */
const lines = [...page.matchAll(/^\| `(const model = '([^']+)')`/gm)].map(([, line = '', id = '']) => [id, line] as const)

const replies: readonly WireReply[] = [
  { text: 'Hello!' },
  { calls: [{ tool: 'add', input: { a: 2, b: 40 } }] },
  { text: 'It is 42.' },
  { calls: [{ tool: 'write_file', input: { path: 'note.txt', content: 'hello' } }] },
  { text: 'It is written.' },
]

/** An environment with every key, and every vendor on the local server. */
const environment = ({ baseURLs }: WireServer): Readonly<Record<string, string>> => ({
  ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: baseURLs.anthropic, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseURLs['openai-chat'] },
  ...{ GEMINI_API_KEY: 'k', GOOGLE_GENERATIVE_AI_BASE_URL: baseURLs.google },
  ...{ OLLAMA_BASE_URL: baseURLs['openai-compatible'], COMPATIBLE_BASE_URL: baseURLs['openai-compatible'] },
})

function execute(code: string, env: Readonly<Record<string, string>>): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--conditions=loom-source', '-'], { cwd: root, env, timeout: 55_000 })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.on('error', reject)
    child.on('close', (status) => resolve({ code: status, said }))
    child.stdin.end(code)
  })
}

describe('hello, a tool and an approval', () => {
  test('are one program, and every provider has a line', () => {
    expect(program.split(given)).toHaveLength(2)
    expect(lines.map(([id]) => id.split('/')[0])).toEqual(['anthropic', 'openai', 'openai.chat', 'google', 'ollama', 'compatible'])
  })

  test.for(lines)('work on %s', async ([, line]) => {
    const server = await wireServer({ reply: replies })
    try {
      expect(await execute(program.replace(given, line), environment(server))).toEqual({ code: 0, said: '' })
      expect(server.requests.map(({ problems }) => problems)).toEqual([[], [], [], [], []])
    } finally {
      await server.close()
    }
  })
})
