/** The program behind `startRace`: makes its starts one after another, and reports each when its run is done. */
import { openProcess, processAgent } from './planned-process.ts'
import type { StartEnd, StartJob } from './start-race.ts'

const job = JSON.parse(process.argv[2] ?? '') as StartJob
const opened = await openProcess(job)
const agent = processAgent(job, opened)
for (let number = job.first; number < job.starts; number += 1) {
  const { thread, run, status, text } = await agent.run(job.input, { id: `start ${number}` })
  const end: StartEnd = { number, thread, run, status, text }
  console.log(JSON.stringify(end))
}
await opened.close()
