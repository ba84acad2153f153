/** Background jobs: they survive the turn and the process, and are never started twice. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, memoryJournal } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { recoverJobs, type ShellTools, shellTools } from '@loom-agent/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from '../../../test/support/threads.ts'
import { type JobRecord, jobFile, readRecord, writeRecord } from '../src/shell/job-files.ts'
import { processesWith } from './shell-world.ts'

let base: string
let folder: string
let journal: Journal
let tools: ShellTools
const started: ChildProcess[] = []
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'loom-jobs-')))
  folder = join(base, 'jobs')
  journal = memoryJournal()
  tools = shellTools({ cwd: base, grace: 100, sandbox: 'none', jobs: { folder, journal } })
  await agent({ model: scriptedModel(['Hello.']), journal }).run('Hello.', { thread: 't' })
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const job of (await call('job', { action: 'list' })) as readonly { id: string }[]) await call('job', { action: 'kill', id: job.id })
  rmSync(base, { recursive: true, force: true })
})

async function call(name: 'bash' | 'job', input: object, { key = 'key', thread = 't' } = {}): Promise<unknown> {
  return toolDefinitionOf(tools[name]).run(input, {
    thread,
    call: '1.0',
    key,
    signal: new AbortController().signal,
    deps: undefined,
    progress() {},
  } as never)
}

const start = async (command: string, key = 'key'): Promise<string> =>
  ((await call('bash', { command, background: true }, { key })) as { job: string }).job
const read = async (id: string): Promise<{ status: string; output: string; exitCode?: number }> =>
  (await call('job', { action: 'read', id })) as never
const messages = async (): Promise<readonly unknown[]> => (await factsOf(journal, 't', 'message.steered')).map(({ data }) => data)
const record = (id: string): JobRecord => readRecord(folder, id) ?? expect.fail('no record')
/** What commands have written each time that they were started. */
const starts = (): string => (existsSync(join(base, 'starts')) ? readFileSync(join(base, 'starts'), 'utf8') : '')
const message = (value: unknown): string => (value instanceof Error ? value.message : `no error: ${JSON.stringify(value)}`)

test('a job returns at once, is read while it runs, and its end reaches the thread as one message', async () => {
  const id = await start(`echo begun; until [ -f ${base}/go ]; do sleep 0.02; done; echo ended; exit 3`)
  await until(async () => (await read(id)).output === 'begun\n')
  expect(await call('job', { action: 'list' })).toMatchObject([{ id, status: 'running' }])
  expect(await messages()).toEqual([])
  writeFileSync(join(base, 'go'), '')
  await until(async () => (await messages()).length > 0)
  expect(await read(id)).toMatchObject({ status: 'ended', exitCode: 3, output: 'begun\nended\n' })
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, thread: 't', status: 'ended', exitCode: 3 }])
  expect(await messages()).toEqual([{ message: expect.objectContaining({}), by: `job:${id}` }])
  expect(JSON.stringify(await messages())).toContain('ended with code 3. The end of its output:\\nbegun\\nended')
})

test('the model of the next run reads how the job ended', async () => {
  const id = await start('echo built')
  await until(async () => (await messages()).length > 0)
  const model = scriptedModel(['I see.'])
  await agent({ model, journal }).run('And?', { thread: 't' })
  expect(JSON.stringify(model.requests[0]?.prompt)).toContain(`The background job ${id} (echo built) ended with code 0.`)
})

test('a call that is made again does not start a second job', async () => {
  const command = `echo x >> ${base}/starts; sleep 600`
  const id = await start(command)
  expect(await start(command)).toBe(id)
  expect(await start(command, 'another')).not.toBe(id)
  await until(() => starts() === 'x\nx\n')
})

test('a job is ended with everything that it started', async () => {
  const id = await start(`( setsid bash -c "exec -a loom-job-${process.pid} sleep 600" & ) ; trap "" TERM; sleep 600; sleep 600`)
  await until(() => processesWith(`loom-job-${process.pid}`).length > 0)
  const { mark } = record(id)
  expect(await call('job', { action: 'kill', id })).toMatchObject({ id, status: expect.stringMatching(/^(?:killed|ended)$/) })
  expect(processesWith(mark)).toEqual([])
})

test('a job that the model killed is not reported as lost: to the model, to its thread, to who looks later', async () => {
  const id = await start('exec sleep 600')
  expect(await call('job', { action: 'kill', id })).toMatchObject({ id, status: 'killed' })
  await until(async () => (await messages()).length > 0)
  expect(JSON.stringify(await messages())).toContain('was killed, as the tool job was asked to do')
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, status: 'killed' }])
})

test('a job whose shell was killed by somebody else tells its thread when the last of its processes is gone', async () => {
  const id = await start(`sleep 600; echo ${base}`)
  const { mark, process: shell } = record(id)
  await until(() => processesWith(mark).length > 1)
  process.kill(shell?.pid ?? expect.fail('no process'), 'SIGKILL')
  await until(() => !processesWith(mark).includes(shell?.pid ?? 0))
  expect([(await read(id)).status, await messages()]).toEqual(['running', []])
  for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL')
  await until(async () => (await messages()).length > 0)
  expect(JSON.stringify(await messages())).toContain('was lost: it no longer runs, and left no code')
})

test('a job that had ended when the model killed it has its code', async () => {
  const id = await start('exit 3')
  await until(async () => (await read(id)).status === 'ended')
  expect(await call('job', { action: 'kill', id })).toMatchObject({ id, status: 'ended', exitCode: 3 })
})

test('a job that prints without end is stopped at its bound', async () => {
  tools = shellTools({ cwd: base, grace: 100, sandbox: 'none', jobs: { folder, journal, maxJobBytes: 1_000 } })
  const id = await start('yes')
  await until(async () => (await read(id)).status === 'ended')
  expect((await read(id)).output).toHaveLength(1_000)
})

test('output is read in parts of whole characters', async () => {
  tools = shellTools({ cwd: base, grace: 100, sandbox: 'none', maxOutputBytes: 10, jobs: { folder, journal } })
  const id = await start("printf 'a€€€€€€€€'")
  await until(async () => (await read(id)).status === 'ended')
  expect(await read(id)).toMatchObject({ output: 'a€€€', note: '15 bytes follow: read on with offset 10.' })
  expect(await call('job', { action: 'read', id, offset: 10 })).toMatchObject({ output: '€€€', note: '6 bytes follow: read on with offset 19.' })
  expect(await call('job', { action: 'read', id, offset: -4 })).toMatchObject({ output: '€' })
})

test('jobs of another thread, and ids that are none, are refused', async () => {
  const id = await start('sleep 600')
  expect(message(await call('job', { action: 'read', id }, { thread: 'other' }))).toBe(`There is no job ${id}. There are no jobs in this thread.`)
  expect(message(await call('job', { action: 'read', id: '../../etc' }))).toContain(`The jobs of this thread are ${id}.`)
  expect(message(await call('job', { action: 'kill' }))).toBe('Give the id of the job to kill.')
})

/** Starts a job in another process; resolves when it runs. */
async function startElsewhere(command: string, key = 'key'): Promise<{ id: string; child: ChildProcess }> {
  const program = join(import.meta.dirname, 'job-process.ts')
  const child = spawn(process.execPath, ['--conditions=loom-source', program, base, key, command], { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  const line = await new Promise<string>((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8'))))
  return { id: (JSON.parse(line) as { job: string }).job, child }
}

const killed = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

test('after a kill of its process a job is found again by another one, which tells its end once', async () => {
  const { id, child } = await startElsewhere(`echo x >> ${base}/starts; until [ -f ${base}/go ]; do sleep 0.02; done; echo ended`)
  await killed(child)
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, status: 'running' }])
  expect(await start('echo x >> starts')).toBe(id)
  writeFileSync(join(base, 'go'), '')
  await until(async () => (await messages()).length > 0)
  await recoverJobs({ folder, journal })
  expect(JSON.stringify(await messages())).toContain('ended with code 0')
  expect(await messages()).toHaveLength(1)
  expect(starts()).toBe('x\n')
})

test('a job that was killed with its process is reported as lost, once, and is not started again', async () => {
  const { id, child } = await startElsewhere(`echo x >> ${base}/starts; sleep 600`)
  await until(() => starts() === 'x\n')
  await killed(child)
  // The shell that would record the code first.
  process.kill(record(id).process?.pid ?? expect.fail('no process'), 'SIGKILL')
  await until(() => {
    const left = processesWith(record(id).mark)
    for (const pid of left) spawnSync('kill', ['-9', String(pid)])
    return left.length === 0
  })
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, status: 'lost' }])
  await recoverJobs({ folder, journal })
  expect(await messages()).toHaveLength(1)
  expect(JSON.stringify(await messages())).toContain('was lost: it no longer runs, and left no code')
  expect(await start('echo x >> starts')).toBe(id)
  expect(starts()).toBe('x\n')
})

test('another process with the number of a lost job is not taken for it', async () => {
  const id = await start('sleep 600')
  const { mark, process: shell } = record(id)
  await call('job', { action: 'kill', id })
  for (const file of ['exit', 'killed', 'told'] as const) rmSync(jobFile(folder, id, file), { force: true })
  const other = spawn('sleep', ['600'])
  started.push(other)
  writeRecord(folder, { ...record(id), mark, process: { pid: other.pid ?? 0, start: shell?.start ?? '' } })
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, status: 'lost' }])
  await call('job', { action: 'kill', id })
  expect(other.exitCode).toBe(null)
  expect(other.signalCode).toBe(null)
})

test('a job whose process was lost before it could note the number is found by its mark', async () => {
  const id = await start('sleep 600')
  const { process: _, ...unnoted } = record(id)
  writeRecord(folder, unnoted)
  expect(await recoverJobs({ folder, journal })).toMatchObject([{ id, status: 'running' }])
})

test('a message that a lost process had sent is not sent again, and one that it had not is', async () => {
  const id = await start('true')
  await until(async () => (await messages()).length === 1)
  const lost = JSON.stringify({ by: { pid: 1, start: 'never' }, isSent: false })
  await until(() => readFileSync(jobFile(folder, id, 'told'), 'utf8').includes('"isSent":true'))
  writeFileSync(jobFile(folder, id, 'told'), lost)
  await recoverJobs({ folder, journal })
  expect(await messages()).toHaveLength(1)
  const other = memoryJournal()
  await agent({ model: scriptedModel(['Hello.']), journal: other }).run('Hello.', { thread: 't' })
  await recoverJobs({ folder, journal: other })
  expect(await factsOf(other, 't', 'message.steered')).toHaveLength(1)
})

test('without a folder for jobs the model is not shown them', async () => {
  const model = scriptedModel(['Hello.'])
  await agent({ model, tools: shellTools({ cwd: base }) }).run('Hello.')
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['bash'])
  expect(JSON.stringify(model.requests[0]?.tools)).not.toContain('background')
})

test('a model starts a job, and the run ends while it goes on', async () => {
  const model = scriptedModel([{ calls: [{ tool: 'bash', input: { command: 'sleep 600', background: true } }] }, 'It runs.'])
  const result = await agent({ model, tools, journal }).run('Start it.', { thread: 't', onQuestion: () => approve() })
  expect(result.text).toBe('It runs.')
  expect(await call('job', { action: 'list' })).toMatchObject([{ status: 'running', command: 'sleep 600' }])
})
