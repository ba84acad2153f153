/** Loop detection: the same call with the same result, again and again. */
import type { Call, Run } from './frame.ts'
import { canonicalJson, freshDigest, rollDigest } from './json.ts'
import { at } from './list.ts'

/** How many recent calls are compared when looking for a loop. */
const loopWindow = 20

/** Name, canonical arguments and result make a call the same as an earlier one; within one turn it counts once. */
export function repetition(run: Run): Pick<Run, 'recent' | 'repeated'> {
  const now: number[] = []
  let repeated: Run['repeated']
  for (let index = 0; index < run.calls.length; index += 1) {
    const { part, input, outcome } = at(run.calls, index) as Call
    const result = outcome?.output.value ?? ''
    const told = rollDigest(rollDigest(freshDigest, part.name), canonicalJson(input))
    const signature = rollDigest(told, typeof result === 'string' ? result : JSON.stringify(result))
    if (now.includes(signature)) continue
    now.push(signature)
    let count = 1
    for (const earlier of run.recent) if (earlier === signature) count += 1
    if (count > (repeated?.count ?? 1)) repeated = { tool: part.name, count }
  }
  return { recent: [...run.recent, ...now].slice(-loopWindow), repeated }
}
