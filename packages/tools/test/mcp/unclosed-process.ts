/** A process that uses a server and ends without closing it. Started by ends.test.ts with the script and the folder of the server. */
import { mcp } from '@loom-agent/tools/mcp'
import { scriptedServer } from '../../../../test/support/mcp/mcp-world.ts'
import { call } from './mcp-setup.ts'

const [script = '', folder = ''] = process.argv.slice(2)
const servers = mcp({ servers: { box: { command: process.execPath, args: scriptedServer(script, folder) } } })
console.log(await call(servers, 'box_fork'))
