/**
 * A process that rewinds and kills itself before a given operation on the file system, or before or after a commit. Started by restoring.test.ts with the
 * folder of the trial and the number of the operation; it prints how many operations there were when it comes to its end.
 */
import { killBeforeOperation } from './counted-operations.ts'

const [folder = '', number = '0'] = process.argv.slice(2)
const operations = await killBeforeOperation(Number(number), {
  functions: ['open', 'rename', 'unlink', 'mkdir', 'symlink', 'link'],
  methods: ['writeFile', 'sync', 'chmod'],
})

const { openRestoring, restoringAgent } = await import('./restoring-agent.ts')
const journal = openRestoring(folder)
const agent = restoringAgent(folder, operations.counted(journal))
operations.begin()
await agent.rewind('t@1', { thread: 'f' })
console.log(JSON.stringify({ operations: operations.end() }))
await journal.close()
