/** The program behind `findFault`: simulates one seed after another until something is found, and reports it. */
import { simulate } from './simulate.ts'

const { from, lives } = JSON.parse(process.argv[2] ?? '') as { readonly from: number; readonly lives: number }
let seed = from
let found = (await simulate({ seed })).found
while (found.length === 0 && seed + 1 < from + lives) {
  seed += 1
  found = (await simulate({ seed })).found
}
console.log(JSON.stringify({ seed, found }))
