/**
 * Names: the ones that rules use, and the ones on the wire.
 *
 * MCP-15. A tool is known to rules as `mcp:<server>/<tool>`, and to the model by a name that begins with that of its server. Of two names that look alike one is
 *     left out, and people are told.
 */
import { createHash } from 'node:crypto'
import { wireName } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { lookOf } from './plain-text.ts'

/** The name by which rules know a tool of a server. */
export const ruleNameOf = (server: string, tool: string): string => `mcp:${server}/${tool}`

/** The name by which the model knows a tool: one that vendors take, and that no other tool of these servers has. */
export function wireNameOf(server: string, tool: string): string {
  const full = `${server}_${tool}`
  const wire = wireName(full)
  if (wire === full) return wire
  const digest = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
  return `${wire.slice(0, 55)}_${digest.slice(0, 8)}`
}

const serverName = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/

/** Refuses names of servers that cannot be used or told apart. */
export function checkServerNames(names: readonly string[]): void {
  const looks = new Map<string, string>()
  for (const name of names) {
    const refuse = (problem: string): never => {
      throw new LoomError('LOOM_OPTION_INVALID', `mcp: the server ${JSON.stringify(name)} ${problem}`, { context: { server: name } })
    }
    if (!serverName.test(name)) refuse('needs another name: use a letter, then letters, digits, _ and -, at most 32.')
    const look = lookOf(name)
    const other = looks.get(look)
    if (other !== undefined) refuse(`looks like ${JSON.stringify(other)}. Give one of them another name.`)
    looks.set(look, name)
  }
}
