/** The program behind `claimRace`: for each round that it is handed on its input, all its claimants claim the thread at once. */
import { type Agent, approve } from '@loom-agent/agent'
import { type ClaimJob, claimedAgent, type Round, type RoundEnd } from './claimant.ts'
import { onLines } from './lines.ts'
import { reachOutside } from './outside.ts'
import { openPlace } from './place.ts'

const job = JSON.parse(process.argv[2] ?? '') as ClaimJob
const outside = await reachOutside(job.port)
const journal = await openPlace(job.place)
const payer = claimedAgent(job, outside, journal)

async function claim(agent: Agent, { thread, question, how }: Round): Promise<string> {
  if (how === 'answer') await agent.answer(question, approve())
  const handle = how === 'answer' ? agent.resume(thread) : agent.resume(thread, { onQuestion: () => approve() })
  const { status, text } = await handle.result()
  return `${status}: ${text}`
}

async function play(round: Round): Promise<void> {
  const endings = await Promise.allSettled(Array.from({ length: job.claimants }, () => claim(payer, round)))
  const end: Record<string, number> = {}
  for (const ending of endings) {
    const status = ending.status === 'fulfilled' ? ending.value : String(ending.reason)
    end[status] = (end[status] ?? 0) + 1
  }
  console.log(JSON.stringify(end satisfies RoundEnd))
}

onLines(process.stdin, (line) => void play(JSON.parse(line) as Round))
process.stdin.on('end', async () => {
  await journal.close()
  outside.close()
})
console.log('ready')
