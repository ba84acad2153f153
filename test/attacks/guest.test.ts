/** Attacks by code that a model has written: each works without the sandbox, and none does with it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GuestEnd, type GuestLimits, runGuest } from '../../packages/tools/src/sandbox/run-guest.ts'
import { until } from '../support/event-loop.ts'
import { noteFigure } from './figure.ts'
import { type CodeAttack, codeAttacks } from './sandbox/code-attacks.ts'
import { collect, kill, startCode } from './sandbox/unconfined.ts'

const canary = 'canary-of-a-file-7714'
const mark = `300.${process.pid}`
const limits: GuestLimits = { time: 500, memory: 64 * 1024 * 1024, room: 4_500 }
const signal = new AbortController().signal

let folder: string
let server: Server
let connections = 0
beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-guest-')))
  writeFileSync(join(folder, 'secret'), canary)
  connections = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const inputOf = () => {
  const address = server.address()
  return { file: join(folder, 'secret'), made: join(folder, 'made'), mark, port: typeof address === 'object' ? (address?.port ?? 0) : 0 }
}

/** Processes whose words or environment have a text. */
const processesWith = (file: 'cmdline' | 'environ', text: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && pid !== String(process.pid) && readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text)
    } catch {
      return false
    }
  })

/** Whether an attack has worked, by what it printed and by what is in the world. */
function hasWorked({ shownBy }: CodeAttack, output: string): boolean {
  if (shownBy === 'file canary') return output.includes(canary)
  if (shownBy === 'environment canary') return output.includes('canary-of-the-environment')
  if (shownBy === 'new file') return existsSync(join(folder, 'made'))
  if (shownBy === 'server') return connections > 0
  if (shownBy === 'polluted') return output.endsWith(',"polluted":"polluted"}\n') || 'polluted' in {}
  if (shownBy === 'allocated') return output.includes('allocated 320')
  return shownBy === 'processes' && processesWith('cmdline', mark).length >= 60
}

async function withoutSandbox(attack: CodeAttack): Promise<boolean> {
  const child = startCode(attack.code, inputOf(), { CANARY: 'canary-of-the-environment' })
  try {
    if (attack.shownBy === 'processes') {
      await until(() => hasWorked(attack, ''))
      return true
    }
    if (attack.shownBy === 'never ends') {
      let output = ''
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
      // It has used the processor for a second since it began, and goes on.
      const used = (): number =>
        Number(
          readFileSync(`/proc/${child.pid}/stat`, 'latin1')
            .replace(/^.*\) /s, '')
            .split(' ')[11],
        )
      await until(() => output.includes('begun') && used() > 100)
      return child.exitCode === null
    }
    const { output } = await collect(child)
    return hasWorked(attack, output)
  } finally {
    kill(child)
  }
}

const run = (code: string, given: Partial<GuestLimits> = {}): Promise<GuestEnd> =>
  runGuest({ task: 'run', code, input: inputOf() }, { ...limits, ...given }, signal)

test.each(codeAttacks)('code that $what does so without the sandbox, and not with it', async (attack) => {
  expect(await withoutSandbox(attack)).toBe(true)
  rmSync(join(folder, 'made'), { force: true })
  connections = 0
  await until(() => processesWith('cmdline', mark).length === 0)
  process.env['CANARY'] = 'canary-of-the-environment'
  const end = await run(attack.code, attack.shownBy === 'allocated' ? { time: 20_000 } : {})
  delete process.env['CANARY']
  expect(hasWorked(attack, JSON.stringify(end))).toBe(false)
  // What it had printed is known: the engine has ended it, and not the process around it.
  if (attack.shownBy === 'never ends') expect(end).toMatchObject({ status: 'late', printed: 'begun\n' })
  noteFigure({ what: 'ways in which code of a model leaves its engine', tried: 1, wrong: 0 })
})

test('code that recurses without end is an error of the code, and recursion inside of the engine a failure of its process', async () => {
  expect(await run('const again = () => again(); again()', { time: 20_000 })).toMatchObject({ status: 'threw', message: 'stack overflow' })
  expect(await run('let nested = []; for (let i = 0; i < 1e5; i++) nested = [nested]; return nested', { time: 20_000 })).toMatchObject({
    status: 'broke',
    problem: expect.stringContaining('call stack'),
  })
})

test('code that prints without end is cut, and what it printed beyond the bound is counted', async () => {
  const end = await run('for (let i = 0; i < 100; i++) console.log("x".repeat(1e5))', { time: 20_000 })
  expect(end.printed.length).toBeLessThanOrEqual(limits.room)
  expect(end.dropped).toBe(100 * 100_001 - limits.room)
})

test('code that replaces what the language has changes nothing but its own result', async () => {
  const code = `for (const one of [Array, String, Function, Promise, JSON, Reflect]) for (const name of Object.getOwnPropertyNames(one.prototype ?? one))
    try { (one.prototype ?? one)[name] = () => 'replaced' } catch {}
  console.log('printed'); return 1`
  expect(await run(code, { time: 20_000 })).toMatchObject({ printed: expect.stringMatching(/^printed\n$/) })
  expect(await run('return [1, "a".slice(0)]', { time: 20_000 })).toMatchObject({ status: 'done', result: [1, 'a'] })
})

/** An engine that an attacker has taken over completely: it runs as the worker itself. */
async function takenOver(code: string): Promise<{ readonly end: GuestEnd; readonly output: string }> {
  const home = join(folder, 'node_modules', 'engine')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'index.mjs'), `const input = ${JSON.stringify(inputOf())}\n${code}`)
  const end = await run('', { time: 20_000, engine: pathToFileURL(join(home, 'index.mjs')).href })
  return { end, output: JSON.stringify(end) }
}
const answer = (reply: string): string => `process.getBuiltinModule('fs').writeSync(1, ${reply}); process.exit()`
const say = (value: string): string => answer(`JSON.stringify({ status: 'done', result: JSON.stringify(String(${value})), printed: '', dropped: 0 })`)

test('an engine that was taken over runs, so that what it does not reach is not for want of trying', async () => {
  expect(await takenOver(say('1 + 1'))).toMatchObject({ end: { status: 'done', result: '2' } })
})

test.each([
  ['reads a file', `let read = ''; try { read = process.getBuiltinModule('fs').readFileSync(input.file, 'utf8') } catch {}; ${say('read')}`],
  ['writes a file', `try { process.getBuiltinModule('fs').writeFileSync(input.made, '') } catch {}; ${say('0')}`],
  ['starts a process', `try { process.getBuiltinModule('child_process').execFileSync('/usr/bin/touch', [input.made]) } catch {}; ${say('0')}`],
  [
    'starts a worker with other rights',
    `try { const { Worker } = await import('node:worker_threads'); const worker = new Worker("require('fs').writeFileSync(" + JSON.stringify(input.made) + ", '')", { eval: true, execArgv: [] }); await new Promise((done) => { worker.on('exit', done); worker.on('error', done) }) } catch {}; ${say('0')}`,
  ],
  ['reads the environment of its process', `let found = ''; try { found = JSON.stringify(process.env) } catch {}; ${say('found')}`],
])('an engine that was taken over and %s does not get there', async (_, code) => {
  process.env['CANARY'] = 'canary-of-the-environment'
  const { output, end } = await takenOver(code)
  delete process.env['CANARY']
  expect(end.status).toBe('done')
  expect([output.includes(canary), output.includes('canary-of-the-environment'), existsSync(join(folder, 'made'))]).toEqual([false, false, false])
})

test('the process of code has no variable and no open file of this one', async () => {
  process.env['CANARY'] = 'canary-of-the-environment'
  const stop = new AbortController()
  const running = runGuest({ task: 'run', code: 'for (;;);', input: null }, { ...limits, time: 60_000 }, stop.signal)
  const own = (): string | undefined =>
    processesWith('cmdline', 'newQuickJSWASMModule').find((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(` ${process.pid} `))
  await until(() => own() !== undefined)
  const environment = readFileSync(`/proc/${own()}/environ`, 'latin1')
  delete process.env['CANARY']
  stop.abort(new Error('stopped'))
  await expect(running).rejects.toThrow('stopped')
  expect(environment).toBe('')
  await until(() => own() === undefined)
})

test.each([
  ['writes without end', "const fs = process.getBuiltinModule('fs'); for (;;) fs.writeSync(1, 'x'.repeat(65536))"],
  ['answers in another form', answer(`'{"status":"done","result":{"toString":1},"printed":7,"dropped":"x"}'`)],
  ['answers with a result that is no JSON', answer(`'{"status":"done","result":"{","printed":"","dropped":0}'`)],
  ['answers twice', answer(`'{"status":"done","result":"1","printed":"","dropped":0}{}'`)],
  ['never answers', 'process.exit()'],
  ['ends its process', 'process.kill(process.pid, "SIGKILL")'],
])('an engine that was taken over and %s is a failure of its own call alone', async (_, code) => {
  const [broken, other] = await Promise.all([takenOver(code), run('return "whole"', { time: 20_000 })])
  expect(broken.end).toEqual({ status: 'broke', problem: expect.any(String), printed: '', dropped: 0 })
  expect(other).toMatchObject({ status: 'done', result: 'whole' })
})
