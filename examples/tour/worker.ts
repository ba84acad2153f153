/** A process that begins the task and tells what becomes durable. The tour kills it in the middle. */
import { isSignal } from 'loom-agent'
import { desk, task, thread } from './desk.ts'

const run = desk(process.argv[2] ?? '.', 400).start(task, { thread })
for await (const event of run.events()) if (!isSignal(event)) console.log(event.type)
