/** The demo's user, in a process of its own: it says yes to a question by its id, and to nothing else. */
import { approve } from 'loom-agent'
import { desk, thread } from './desk.ts'

const [folder = '.', question = ''] = process.argv.slice(2)
const run = desk(folder).resume(thread)
await run.answer(question, approve({ by: 'the user of the demo' }))
console.log((await run.result()).text)
