/**
 * A short tour: `npm start`. It needs no key: the offline model, which is no language model, works with real files, real processes and a real kill.
 *
 * In a terminal you are asked before anything is written. Without one, a process of its own plays the user of this demo.
 */
import { strict as assert } from 'node:assert'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { approve, type Question, readEvents, reject, turnsOf } from 'loom-agent'
import { task, thread, tourAgent } from './agent.ts'
import { chapter, eventLine, note, print } from './show.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-tour-'))
const summary = join(folder, 'files/summary.md')
const program = (name: string): readonly string[] => [...process.execArgv, join(import.meta.dirname, name), folder]

/** Starts a worker and kills it once it has read the file; returns the types of the events that it printed. */
async function startAndKill(): Promise<readonly string[]> {
  const worker: ChildProcess = spawn(process.execPath, program('worker.ts'), { stdio: ['ignore', 'pipe', 'inherit'] })
  const seen: string[] = []
  let left = ''
  for await (const chunk of worker.stdout ?? []) {
    const lines = (left + String(chunk)).split('\n')
    left = lines.pop() ?? ''
    seen.push(...lines)
    if (seen.includes('tool.finished')) worker.kill('SIGKILL')
  }
  return seen
}

/** Asks the person at the terminal: Loom itself approves nothing. */
async function askPerson({ id, prompt, call }: Question): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`  ${prompt} ${JSON.stringify(call?.input).slice(0, 200)}\n  y or n: `)
  terminal.close()
  await clerk.answer(id, answer.trim().toLowerCase().startsWith('y') ? approve({ by: 'you' }) : reject('The person said no.', { by: 'you' }))
}

mkdirSync(join(folder, 'files'))
writeFileSync(
  join(folder, 'files/notes.txt'),
  'Loom keeps every fact of a run in a journal. Lunch was late. The journal survives when the process is killed. It rained. Another process reads the journal and continues.\n',
)

chapter('1', `A process starts: "${task}"`)
const seen = await startAndKill()
note(`it wrote ${seen.length} events, read the file, and was killed with SIGKILL in the middle of its work`)
assert.ok(seen.includes('tool.finished'))
assert.ok(!existsSync(summary))

chapter('2', 'Another process finds the unfinished thread and continues it')
const clerk = tourAgent(folder)
const [recovered] = await clerk.recover()
note(`recover(): ${recovered?.thread} is ${recovered?.status}. The file was read once; the run waits, and needs no process meanwhile.`)
const waiting = await clerk.resume(thread).result()
const [question] = waiting.questions
assert.ok(question)

chapter('3', 'Writing asks first')
note(`${question.id}: ${question.prompt}`)
if (process.stdin.isTTY && process.stdout.isTTY) await askPerson(question)
else {
  const { stdout } = await promisify(execFile)(process.execPath, [...program('user.ts'), question.id])
  note(`a process of its own played the user and answered ${question.id} with approve`)
  note(stdout.trim().split('\n')[0] ?? '')
}
const done = await clerk.resume(thread).result()
note(`the run is ${done.status}`)

chapter('4', 'What happened is a list of events')
for await (const event of readEvents(clerk.journal, thread)) eventLine(event)
const turns = await turnsOf(clerk.journal, thread)
note(`${turns.length} turns: ${turns.map(({ calls, text }) => calls.map(({ tool }) => tool).join(', ') || text.split('\n')[0]).join(' -> ')}`)

if (existsSync(summary)) {
  chapter('5', 'The file was written once')
  const written = statSync(summary).mtimeMs
  await clerk.resume(thread).result()
  assert.equal(statSync(summary).mtimeMs, written)
  note(readFileSync(summary, 'utf8').trim())
}
await clerk.journal.close()
rmSync(folder, { recursive: true })
print('\nThat was the tour. Next: README.md, then docs/guides/getting-started.md\n')
