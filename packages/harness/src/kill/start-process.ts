/** The program behind `startRace`: makes its starts one after another, and reports each when its run is done. */
import type { Result } from '@loom-agent/agent'
import { openProcess, processAgent } from './planned-process.ts'
import { type StartEnd, type StartJob, startId, startInput } from './start-race.ts'

const job = JSON.parse(process.argv[2] ?? '') as StartJob
const { faults = [] } = job
const opened = await openProcess(job)
const agent = processAgent(job, opened)

/** Makes a start; planted faults make it without its id, or not at all. */
async function start(number: number): Promise<Pick<Result<string>, 'thread' | 'run' | 'status' | 'text'>> {
  if (faults.includes('forgets-starts') && number % 10 === 7) return { thread: `forgotten-${number}`, run: 'r1', status: 'done', text: '' }
  if (faults.includes('starts-again')) return agent.run(startInput(number), { thread: startId(number) })
  if (faults.includes('swaps-inputs') && number % 10 === 7) return agent.run(startInput(number + 1), { id: startId(number) })
  return agent.run(startInput(number), { id: startId(number) })
}

for (let number = job.first; number < job.starts; number += 1) {
  const { thread, run, status, text } = await start(number)
  const end: StartEnd = { number, thread, run, status, text }
  console.log(JSON.stringify(end))
}
await opened.close()
