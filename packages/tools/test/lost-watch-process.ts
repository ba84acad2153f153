/** A process whose agent runs a watched command and is killed in the middle of it: `lost-watch-process.ts <folder>`. */
import { losingAgent, openLosing } from './lost-watch-agent.ts'

const [folder = ''] = process.argv.slice(2)
await losingAgent(folder, openLosing(folder)).run('Go.', { thread: 't' })
