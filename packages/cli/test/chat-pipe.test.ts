/** loom chat where nobody sits at a terminal, and in a folder without a configuration. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chatEnvironment, coderFolder, loomArgs, rests, startChat } from './chat.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command with an input from a pipe. */
async function piped(cwd: string, input: string, ...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, loomArgs(['chat', ...args]), { cwd, env: chatEnvironment })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdin.end(input)
  const code = await new Promise<number | null>((settle) => child.once('close', settle))
  return { code, out, err }
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loom-chat-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('in a pipe it is a run: the answer alone, without a sequence of a terminal', async () => {
  const { code, out, err } = await piped(coderFolder(), 'say: hi\u001b[2J')
  expect([code, out]).toEqual([0, 'hi\u001b[2J\n'])
  expect(err).not.toContain('\u001b')
})

test('with --json it is one value, and approves nothing: what asks ends with 4', async () => {
  const cwd = coderFolder()
  const { code, out } = await piped(cwd, 'edit one to two', '--json')
  const result = JSON.parse(out) as { status: string; thread: string; questions: { call: { tool: string } }[] }
  expect([code, result.status, result.questions[0]?.call.tool]).toEqual([4, 'waiting', 'edit'])
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
  const events = await piped(cwd, 'say: again', '--jsonl')
  expect(
    events.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type)
      .at(-1),
  ).toBe('run.finished')
})

test('a mode holds in a pipe, too', async () => {
  const cwd = coderFolder()
  const { code } = await piped(cwd, 'edit one to two', '--mode', 'accept-edits', '--quiet')
  expect([code, readFileSync(join(cwd, 'a.txt'), 'utf8')]).toEqual([0, 'two\n'])
  expect(await piped(cwd, 'x', '--mode', 'all')).toMatchObject({ code: 2, err: expect.stringContaining('It is one of default, accept-edits') })
  expect(await piped(cwd, 'x', '-r', 'nobody')).toMatchObject({ code: 7 })
})

test('without a configuration and a key it is the coder with the offline model, and says so', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'AGENTS.md'), 'Be kind.\n')
  writeFileSync(join(cwd, 'a.txt'), 'one\n')
  const chat = await startChat(cwd)
  await chat.shows('Uses the offline model, because no key of a provider is set.')
  await chat.shows('AGENTS.md was read as instructions.')
  chat.type('edit {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}\r')
  await chat.shows('a approve')
  chat.type('a')
  await rests(chat, '✔ edit a.txt')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n')
  expect(readFileSync(join(cwd, '.loom/.gitignore'), 'utf8')).toBe('*\n')
  chat.type('/rewind\r')
  await chat.shows('Go back to before which message?')
  chat.type('\r')
  await chat.shows('put back   a.txt')
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
})

test('a folder in which nothing was said yet has nothing to go on with, and gets no journal by being asked', async () => {
  const cwd = emptyFolder()
  const { code, err } = await piped(cwd, 'x', '-c')
  expect([code, err]).toEqual([7, expect.stringContaining('has no thread yet')])
  expect(existsSync(join(cwd, 'loom.db'))).toBe(false)
})
