/**
 * Tools that belong together, under a name and a version.
 *
 * KIT-1. A name stands once in a toolkit, and so it does when toolkits are put together: a second tool of a name is an error, never a silent replacement.
 */
import type { Tool } from '@loom-agent/agent'
import { checkOptions, checkToolName, type Expected, expected, isTool, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'

/** What `toolkit()` takes. */
export interface ToolkitOptions<Deps = unknown> {
  /** The name of the toolkit. */
  readonly name: string
  /** Its version, such as `1.2.0`. */
  readonly version: string
  /** Tools by name, or a list of tools and toolkits. */
  readonly tools: Readonly<Record<string, Tool<Deps>>> | Iterable<Tool<Deps> | Toolkit<Deps>>
  /** Put before the name of each tool; default: nothing. */
  readonly prefix?: string
}

/** Tools that belong together. Its iteration yields them: `tools: [...kit, ...other]`. */
export interface Toolkit<Deps = unknown> extends Iterable<Tool<Deps>> {
  readonly kind: 'toolkit'
  /** The name of the toolkit. */
  readonly name: string
  /** Its version. */
  readonly version: string
  /** The tools by name. */
  readonly tools: Readonly<Record<string, Tool<Deps>>>
  /** The toolkit that each tool came from, as `name@version`, by the name of the tool. */
  readonly sources: Readonly<Record<string, string>>
}

const isVersion = (value: unknown): boolean => typeof value === 'string' && /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/.test(value)

const kitShape: Readonly<Record<keyof ToolkitOptions, Expected>> = {
  name: expected.required(expected.name),
  version: { words: 'a version, such as 1.2.0', fits: isVersion, required: true },
  tools: { words: 'tools by name, or a list of tools and toolkits', fits: (value) => typeof value === 'object' && value !== null, required: true },
  prefix: expected.text,
}

interface Named<Deps> {
  readonly name: string
  readonly tool: Tool<Deps>
  readonly source: string
}

/**
 * Puts tools together under a name and a version. Two tools of one name are refused (`LOOM_TOOL_DUPLICATE`), with the toolkits that they came from; a
 * `prefix` tells them apart.
 *
 * @example
 * const web = toolkit({ name: 'web', version: '1.0.0', tools: webTools() })
 * const all = toolkit({ name: 'all', version: '1.0.0', tools: [web, calculator()] })
 * agent({ name: 'helper', model, tools: [...all] })
 */
export function toolkit<Deps = unknown>(options: ToolkitOptions<Deps>): Toolkit<Deps> {
  checkOptions('toolkit', options, kitShape)
  const { name, version, prefix = '' } = options
  const own = `${name}@${version}`
  const named = new Map<string, Named<Deps>>()
  for (const one of listed(options.tools, own)) {
    const full = `${prefix}${one.name}`
    checkToolName(full)
    const before = named.get(full)
    if (before) throw duplicate(own, full, [before.source, one.source])
    named.set(full, { ...one, name: full, tool: { ...redefineTool(one.tool, toolDefinitionOf(one.tool)), name: full } })
  }
  const entries = [...named.values()]
  return {
    kind: 'toolkit',
    name,
    version,
    tools: Object.fromEntries(entries.map((one) => [one.name, one.tool])),
    sources: Object.fromEntries(entries.map((one) => [one.name, one.source])),
    [Symbol.iterator]: () => entries.map((one) => one.tool)[Symbol.iterator](),
  }
}

function listed<Deps>(given: ToolkitOptions<Deps>['tools'], own: string): readonly Named<Deps>[] {
  if (!isIterable(given)) return Object.entries(given).map(([name, tool]) => ({ name, tool: checked(tool, name), source: own }))
  return [...given].flatMap((one, index) => {
    if (isToolkit(one)) return Object.entries(one.tools).map(([name, tool]) => ({ name, tool, source: one.sources[name] ?? own }))
    const tool = checked(one, `tools[${index}]`)
    if (tool.name === '')
      throw new LoomError('LOOM_TOOL_NAME_INVALID', `toolkit: tools[${index}] has no name. Name it, or give tools by name.`, { context: { index } })
    return [{ name: tool.name, tool, source: own }]
  })
}

const isIterable = <Deps>(given: ToolkitOptions<Deps>['tools']): given is Iterable<Tool<Deps> | Toolkit<Deps>> => Symbol.iterator in given

const isToolkit = <Deps>(value: Tool<Deps> | Toolkit<Deps>): value is Toolkit<Deps> => expected.object.fits(value) && value.kind === 'toolkit'

function checked<Deps>(value: Tool<Deps>, name: string): Tool<Deps> {
  if (isTool(value)) return value
  throw new LoomError('LOOM_TOOL_INVALID', `toolkit: ${name} is not a tool. Give tool(...), or a toolkit.`, { context: { name } })
}

function duplicate(own: string, name: string, sources: readonly [string, string]): LoomError {
  const message = `toolkit ${own}: two tools are called "${name}", from ${sources[0]} and ${sources[1]}. Give one of the toolkits a prefix, or leave one out.`
  return new LoomError('LOOM_TOOL_DUPLICATE', message, { context: { name, toolkits: [...sources] } })
}
