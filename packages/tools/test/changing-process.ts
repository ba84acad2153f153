/**
 * A process that runs an agent with file tools and kills itself before a given operation on the file system, or before or after a commit. Started by
 * changes.test.ts with the folder of the trial, the tool and the number of the operation; it prints how many operations there were when it comes to its end.
 */
import { killBeforeOperation } from './counted-operations.ts'

const [folder = '', tool = '', number = '0'] = process.argv.slice(2)
const operations = await killBeforeOperation(Number(number), {
  functions: ['open', 'rename', 'unlink', 'lstat', 'mkdir'],
  methods: ['writeFile', 'sync', 'chmod', 'readFile', 'read'],
})

const { changingAgent, openJournal } = await import('./changing-agent.ts')
const journal = openJournal(folder)
const agent = changingAgent(folder, tool, operations.counted(journal))
operations.begin()
const { text } = await agent.run('Do it.', { thread: 't' })
console.log(JSON.stringify({ operations: operations.end(), text }))
await journal.close()
