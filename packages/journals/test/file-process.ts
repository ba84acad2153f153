/** A process that uses a file journal: `open <folder>` opens it and keeps it open, `write <folder>` appends and prints what was acknowledged. */
import { isLoomError } from '@loom-agent/kernel'
import { file } from '../src/file/index.ts'

const [, , what, folder = ''] = process.argv
const journal = file(folder)
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

async function write(): Promise<void> {
  const seen = (await journal.head('t'))?.epoch ?? 0
  const { epoch } = await journal.acquire('t', { worker: String(process.pid), incarnation: 't', seen })
  say({ epoch })
  for (let seq = (await journal.head('t'))?.seq ?? 0; ; seq += 1) {
    const events = [{ type: 'memory.recorded', data: { key: String(process.pid), value: seq } }] as const
    const result = await journal.append('t', {
      id: `${epoch}.${seq}`,
      incarnation: 't',
      expected: seq,
      time: 1,
      epoch,
      events,
      summary: { status: 'running' },
    })
    say(result)
  }
}

try {
  await journal.head('t')
  if (what === 'write') await write()
  say({ opened: process.pid })
  // Keeps the journal open until its input ends; the process then ends without closing it.
  if (what === 'open') process.stdin.once('data', () => process.exit(0))
} catch (error) {
  if (!isLoomError(error)) throw error
  say({ code: error.code, retry: error.retry, context: error.context, message: error.message })
}
