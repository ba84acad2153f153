/** A process that runs an agent with a server whose tool is a task. Started by kill.test.ts with its folder and the address of the server. */
import { openCaller } from './task-agent.ts'

const [folder = '', url = ''] = process.argv.slice(2)
const { caller, close } = openCaller(folder, url)
const { text } = await caller.resume('t').result()
await close()
console.log(text)
