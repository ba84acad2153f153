/** Tools of several servers beside each other: names that look alike, and descriptions that speak of the tools of others. */
import type { Tool } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { eachOnce } from './notices.ts'
import type { McpNotice } from './options.ts'
import { lookOf } from './plain-text.ts'

/** The tools of one server. */
interface Listed {
  readonly server: string
  readonly tools: readonly Tool[]
}

/** The tool by which a description is recognised: names of one plain word are words of the language, too. */
const isTelling = (name: string): boolean => name.length >= 6 && /[_.-]/.test(name)

/** Puts tools together: of two that look alike to the model the second is left out; each notice is given once. */
export function lookAlikes(notice: (notice: McpNotice) => void): (listed: readonly Listed[]) => readonly Tool[] {
  const once = eachOnce(notice)
  return (listed) => {
    const kept = new Map<string, Tool>()
    for (const { server, tools } of listed) {
      for (const tool of tools) {
        const look = lookOf(tool.name)
        const other = kept.get(look)
        if (!other) kept.set(look, tool)
        else
          once({
            server,
            kind: 'look-alike',
            tool: ownName(tool),
            message: `${tool.name} looks like ${other.name}: it is left out. Name the tools that are used with the option tools.`,
          })
      }
    }
    for (const one of listed) noticeMentions(one, listed, once)
    return [...kept.values()]
  }
}

/** The server's own name of a tool. */
const ownName = (tool: Tool): string => (toolDefinitionOf(tool).ruleName ?? tool.name).replace(/^mcp:[^/]*\//, '')

/** A description that speaks of the tools of another server may want to change how they are used. */
function noticeMentions({ server, tools }: Listed, listed: readonly Listed[], notice: (notice: McpNotice) => void): void {
  const foreign = listed.filter((other) => other.server !== server).flatMap((other) => other.tools)
  for (const tool of tools) {
    const words = new Set((toolDefinitionOf(tool).description ?? '').split(/[^A-Za-z0-9_.-]+/).map((word) => word.replace(/[.]+$/, '')))
    const named = foreign.filter((other) => words.has(other.name) || (isTelling(ownName(other)) && words.has(ownName(other))))
    if (named.length > 0) {
      const names = named
        .slice(0, 5)
        .map((other) => other.name)
        .join(', ')
      notice({
        server,
        kind: 'mentions',
        tool: ownName(tool),
        message: `The description of ${ownName(tool)} speaks of tools of other servers: ${names}.`,
      })
    }
  }
}
