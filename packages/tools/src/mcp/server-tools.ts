/** The tools of one server: listed, compared with what was approved, and judged call by call. */
import type { LeastVerdict, Verdict } from '@loom-agent/agent'
import { canonicalJson } from '@loom-agent/kernel'
import type { Connection } from './connection.ts'
import { claimOf, type ListedTool, type ToolClaim, type ToolText } from './definition.ts'
import { unavailable } from './failure.ts'
import { eachOnce } from './notices.ts'
import type { McpNotice, McpServer } from './options.ts'
import type { Pin, Pins } from './pins.ts'
import { cut, visible } from './plain-text.ts'

/** The tools of one server. */
export interface ServerTools {
  /** Lists them, unless the list is not older than so many milliseconds and nothing has changed. Rejects when the server cannot be used. */
  refresh(age?: number): Promise<void>
  /** Notes that the list has changed. */
  changed(): void
  /** The tools as they were listed, in the order of their names. */
  all(): readonly ToolClaim[]
  /** What the model is shown of a tool: the definition that was approved, where it is another one. */
  shown(tool: string): ToolText | undefined
  /** The definition that was approved, where it is another one. */
  approvedBefore(tool: string): ToolText | undefined
  /** The verdict of a tool on a call. */
  judge(tool: string, input: unknown): Promise<Verdict | LeastVerdict>
  /** The definition that a judged call may be sent under; pins it. Without input: under which one may be gone on with. */
  approved(tool: string, input: unknown): Promise<ToolClaim | undefined>
}

/** What they are made of. */
interface Made {
  readonly name: string
  readonly server: McpServer
  readonly connection: Connection
  readonly pins: Pins
  readonly notice: (notice: Omit<McpNotice, 'server'>) => void
}

/** How many tools a server may have, how long a list is good, and how much of a definition a question shows. */
const most = { tools: 256, age: 60_000, shown: 1_500 }

/** The tools of a server, not listed yet. */
export function createServerTools({ name, server, connection, pins, notice }: Made): ServerTools {
  let claims: ReadonlyMap<string, ToolClaim> = new Map()
  let listedAt = Number.NEGATIVE_INFINITY
  let changes = 0
  let listing: Promise<void> | undefined
  const judged = new WeakMap<object, string>()
  const once = eachOnce(notice)
  const list = async (): Promise<void> => {
    const [since, before] = [Date.now(), changes]
    const found = usableTools(await listedBy(name, server, connection), server, once)
    await pins.load(found.map((claim) => claim.name))
    for (const claim of found) noticeClaim(claim, pins, once)
    claims = byName(found)
    if (changes === before) listedAt = since
  }
  const changeOf = (tool: string): ToolText | undefined => {
    const pin = pins.get(tool)
    return pin && pin.digest !== claims.get(tool)?.digest ? pin : undefined
  }
  const refresh = (age = most.age): Promise<void> => {
    if (Date.now() - listedAt < age) return Promise.resolve()
    listing ??= list()
      .catch(async (error: unknown) => {
        // What was approved is still known, so that runs that have begun go on when the server is there again.
        if (claims.size === 0) claims = byName((await pins.all()).filter(({ name: tool }) => isUsed(tool, server)).map(pinnedClaim))
        throw error
      })
      .finally(() => {
        listing = undefined
      })
    return listing
  }
  return {
    refresh,
    changed() {
      changes += 1
      listedAt = Number.NEGATIVE_INFINITY
    },
    all: () => [...claims.values()],
    shown: (tool) => changeOf(tool) ?? claims.get(tool),
    approvedBefore: changeOf,
    async judge(tool, input) {
      // A server that cannot be reached now has the definition that it had: the call will say that it is not there.
      await refresh().catch(() => {})
      const claim = claims.get(tool)
      if (!claim) return { atLeast: 'deny', reason: `the MCP server ${name} has no tool ${tool} any more` }
      if (typeof input === 'object' && input !== null) judged.set(input, claim.digest)
      return judgeClaim(claim, changeOf(tool), pins.get(tool) !== undefined)
    },
    async approved(tool, input) {
      const claim = claims.get(tool)
      if (!claim) return undefined
      if (input === undefined) return changeOf(tool) ? undefined : claim
      if (typeof input !== 'object' || input === null || judged.get(input) !== claim.digest) return undefined
      await pins.set(claim)
      return claim
    },
  }
}

/** What a server lists. */
async function listedBy(name: string, { connectTimeout = 10_000 }: McpServer, connection: Connection): Promise<readonly ListedTool[]> {
  const { client } = await connection.session()
  try {
    const { tools } = await client.listTools(undefined, { timeout: connectTimeout, cacheMode: 'refresh' })
    return tools as readonly ListedTool[]
  } catch (error) {
    throw unavailable(name, error)
  }
}

/** Every call asks; one under a definition that is not the approved one asks whatever rules allow. */
function judgeClaim(claim: ToolClaim, before: ToolText | undefined, isPinned: boolean): Verdict | LeastVerdict {
  if (before) return { atLeast: 'ask', reason: changeInWords(before, claim) }
  if (claim.hidden === 0 || isPinned) return 'ask'
  return { atLeast: 'ask', reason: `its definition has ${claim.hidden} hidden characters, written out here: ${told(claim)}` }
}

/** The tools that can be used, in the order of their names; a notice for each of the others. */
function usableTools(listed: readonly ListedTool[], server: McpServer, notice: Made['notice']): readonly ToolClaim[] {
  const found = new Map<string, ToolClaim>()
  for (const one of listed.slice(0, most.tools)) {
    const claim = claimOf(one)
    if ('refused' in claim)
      notice({ kind: 'tool-refused', tool: visible(one.name.slice(0, 128)).text, message: `A tool is left out: ${claim.refused}.` })
    else if (found.has(claim.name))
      notice({ kind: 'tool-refused', tool: claim.name, message: `The server lists ${claim.name} twice: the second is left out.` })
    else if (isUsed(claim.name, server)) found.set(claim.name, claim)
  }
  if (listed.length > most.tools)
    notice({ kind: 'tool-refused', message: `The server lists ${listed.length} tools; those after the first ${most.tools} are left out.` })
  for (const name of server.tools ?? [])
    if (!found.has(name)) notice({ kind: 'unavailable', tool: name, message: `The server has no tool ${name}, which the options name.` })
  return [...found.values()]
}

const isUsed = (tool: string, { tools }: McpServer): boolean => tools === undefined || tools.includes(tool)

/** Tools in the order of their names: the order of a server may change from list to list. */
const byName = (claims: readonly ToolClaim[]): ReadonlyMap<string, ToolClaim> =>
  new Map([...claims].sort((a, b) => (a.name < b.name ? -1 : 1)).map((claim) => [claim.name, claim]))

/** A tool of a server that cannot be asked. Before a call is judged, it is asked again. */
const pinnedClaim = (pin: Pin): ToolClaim => ({ ...pin, hidden: 0, hints: { readOnly: false, idempotent: false }, tasks: 'never' })

function noticeClaim(claim: ToolClaim, pins: Pins, notice: Made['notice']): void {
  const { name: tool, hidden } = claim
  const pin = pins.get(tool)
  if (hidden > 0) notice({ kind: 'definition-hidden', tool, message: `The definition of ${tool} has ${hidden} hidden characters: ${told(claim)}` })
  if (pin && pin.digest !== claim.digest) notice({ kind: 'definition-changed', tool, message: `Since it was approved, ${changeInWords(pin, claim)}` })
}

const told = ({ description, schema }: ToolText): string => cut(`${description} ${JSON.stringify(schema)}`, most.shown)

/** What has changed, with both texts. */
function changeInWords(before: ToolText, after: ToolText): string {
  const parts = [
    ...(before.description === after.description ? [] : [`its description was ${quoted(before.description)} and is ${quoted(after.description)}`]),
    ...(canonicalJson(before.schema) === canonicalJson(after.schema) ? [] : [`its schema was ${schemaOf(before)} and is ${schemaOf(after)}`]),
  ]
  return `the server has changed the definition of this tool: ${parts.join('; ') || 'in characters that are not shown'}`
}

const quoted = (text: string): string => JSON.stringify(cut(text, most.shown))
const schemaOf = ({ schema }: ToolText): string => cut(JSON.stringify(schema), most.shown)
