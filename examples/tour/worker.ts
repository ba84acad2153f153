/** A process that starts the task and prints the type of every durable event. The tour kills it before the task is done. */
import { isSignal } from 'loom-agent'
import { task, thread, tourAgent } from './agent.ts'

const run = tourAgent(process.argv[2] ?? '.', 400).start(task, { thread })
for await (const event of run.events()) if (!isSignal(event)) console.log(event.type)
