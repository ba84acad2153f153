/** The program behind `claimRace`: for each round on its input, all its claimants claim the thread at once. */
import { type Agent, approve } from '@loom-agent/agent'
import { onLines } from '../process/lines.ts'
import type { ClaimJob, Round, RoundEnd } from './claim-race.ts'
import { openProcess, processAgent } from './planned-process.ts'

const job = JSON.parse(process.argv[2] ?? '') as ClaimJob
const opened = await openProcess(job)
const claimed = processAgent(job, opened)

async function claim(agent: Agent, { thread, question, how }: Round): Promise<RoundEnd[number]> {
  if (how === 'answer') await agent.answer(question, approve())
  const handle = how === 'answer' ? agent.resume(thread) : agent.resume(thread, { onQuestion: () => approve() })
  const { status, text } = await handle.result()
  return { status, text }
}

async function play(round: Round): Promise<void> {
  const endings = await Promise.allSettled(Array.from({ length: job.claimants }, () => claim(claimed, round)))
  const ends = endings.map((ending) =>
    JSON.stringify(ending.status === 'fulfilled' ? ending.value : { status: 'failed', text: String(ending.reason) }),
  )
  console.log(`[${[...new Set(ends)].join()}]`)
}

onLines(process.stdin, (line) => void play(JSON.parse(line) as Round))
process.stdin.on('end', () => void opened.close())
console.log('ready')
