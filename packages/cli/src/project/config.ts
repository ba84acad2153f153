/** The agents of a project: what `loom.config.ts` exports. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Agent } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import type { Terminal } from '../platform/terminal.ts'

/** What a configuration exports as its default. */
export interface LoomConfig {
  /** The agents that commands can run, each found by its name; or a function that makes them when a command needs them. */
  readonly agents: readonly Agent[] | (() => readonly Agent[])
}

const names = ['loom.config.ts', 'loom.config.mts', 'loom.config.js', 'loom.config.mjs']

/** The configuration that is named, or the one of this folder; `undefined` where there is none. */
export function findConfig(named: string | undefined, { cwd }: Pick<Terminal, 'cwd'>): string | undefined {
  return named ?? names.find((one) => existsSync(resolve(cwd, one)))
}

/** Loads the configuration that `--config` names, or that of this folder. It is a module, and is run by this Node. */
export async function loadConfig(named: string | undefined, terminal: Pick<Terminal, 'cwd'>): Promise<readonly Agent[]> {
  const { cwd } = terminal
  const name = findConfig(named, terminal)
  if (name === undefined || !existsSync(resolve(cwd, name))) throw missing(name, cwd)
  const loaded: { default?: unknown } = await import(pathToFileURL(resolve(cwd, name)).href)
  const config = loaded.default
  const given = typeof config === 'object' && config !== null && 'agents' in config ? config.agents : undefined
  const agents: unknown = typeof given === 'function' ? given() : given
  if (Array.isArray(agents) && agents.length > 0 && agents.every(isAgent)) return agents
  throw new LoomError(
    'LOOM_OPTION_INVALID',
    `${name} exports no agents. Write: export default { agents: [support] }, where support is made by agent({ name: 'support', ... }).`,
    {
      context: { config: name },
    },
  )
}

const isAgent = (value: unknown): value is Agent => typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'agent'

/** The agent of a name; without a name, the only one that there is. */
export function agentOf(agents: readonly Agent[], name: string | undefined): Agent {
  const known = agents.map((one) => one.name)
  const found = name === undefined ? (agents.length === 1 ? agents[0] : undefined) : agents.find((one) => one.name === name)
  if (found) return found
  const what = name === undefined ? 'Several agents are configured, and none was named' : `No agent ${JSON.stringify(name)} is configured`
  throw new LoomError('LOOM_OPTION_INVALID', `${what}. The configuration has ${known.join(', ')}.`, { context: { agents: known } })
}

function missing(name: string | undefined, cwd: string): LoomError {
  const what = name === undefined ? `${cwd} has none of ${names.join(', ')}` : `There is no file ${JSON.stringify(name)}`
  const advice = 'A run needs the code of an agent. Write a file that says: export default { agents: [support] }, or name one with --config.'
  return new LoomError('LOOM_OPTION_INVALID', `${what}. ${advice}`, { context: { folder: cwd } })
}
