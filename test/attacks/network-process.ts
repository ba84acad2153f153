/** A process that makes one request with the tool, and prints what comes of it: its environment is that of an attacker. */
import { httpTool } from '@loom-agent/tools'
import { callTool } from '../support/call-tool.ts'

const [url = '', host = ''] = process.argv.slice(2)
const outcome = await callTool(httpTool({ allow: [host], resolve: () => ['127.0.0.1'], timeout: 10_000 }), { url })
console.log(String(outcome))
