/** The demo's user, in a process of its own: it approves the question with the given id, and nothing else. */
import { approve, done } from 'loom-agent'
import { thread, tourAgent } from './agent.ts'

const [folder = '.', question = ''] = process.argv.slice(2)
const run = tourAgent(folder).resume(thread)
await run.answer(question, approve({ by: 'the user of the demo' }))
console.log(done(await run.result()).text)
