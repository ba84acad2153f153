/** A longer storm: `node --conditions=loom-source packages/server/test/long-storm-process.ts 200`, on PostgreSQL with its address behind it. Prints what came of it; ends with 1 where something is not as it has to be. */
import { storm } from './storm.ts'

const kills = Number(process.argv[2] ?? 100)
const address = process.argv[3]
const end = await storm({ kills, random: Math.random, address })
console.log(JSON.stringify(end))
process.exitCode = end.faults.length === 0 ? 0 : 1
