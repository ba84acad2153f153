/** A process that starts a background job and waits until it is killed: `job-process.ts <folder> <key> <command>`. */
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { shellTools } from '@loom-agent/tools'

const [folder = '', key = '', command = ''] = process.argv.slice(2)
const { bash } = shellTools({ cwd: folder, sandbox: 'none', jobs: { folder: `${folder}/jobs` } })
const context = { thread: 't', call: '1.0', key, signal: new AbortController().signal, deps: undefined, progress() {} }
console.log(JSON.stringify(await toolDefinitionOf(bash).run({ command, background: true }, context as never)))
process.stdin.resume()
