/** The agents of a folder: those of its configuration, or the built-in coder where it has none. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent, Mode } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import { createModels } from '@loom-agent/models'
import { type Absent, namedJournal, openJournal } from '../journal/open-journal.ts'
import type { Terminal } from '../platform/terminal.ts'
import { findConfig, loadConfig } from '../project/config.ts'
import { coder } from './coder.ts'

/** Which agents and which journal a command means. */
export interface AgentsOptions {
  /** The module with the agents; default: that of the folder. */
  readonly config?: string
  /** The journal of the built-in coder; agents of a configuration have their own. */
  readonly journal?: string
  /** The most that the mode of the built-in coder may be. */
  readonly mostMode?: Mode
  /** What becomes of a journal that is not there. */
  readonly absent?: Absent
}

/** The agents that a command may use, and what there is to say about them. */
export interface FoundAgents {
  readonly agents: readonly Agent[]
  /** What a person should know of them; empty where nothing is special. */
  readonly notes: readonly string[]
}

/** The agents of the configuration; without one the built-in coder, in this folder. */
export async function agentsFor(terminal: Terminal, options: AgentsOptions): Promise<FoundAgents> {
  const found = findConfig(options.config, terminal)
  if (found !== undefined && options.journal !== undefined) {
    throw new LoomError('LOOM_OPTION_INVALID', `The agents of ${found} have journals of their own. Leave out --journal.`, {
      context: { config: found },
    })
  }
  if (found !== undefined) return { agents: await loadConfig(found, terminal), notes: [] }
  const journal = await coderJournal(terminal, options)
  const { model, notes } = chooseModel(terminal)
  const { mostMode } = options
  const root = terminal.cwd
  const read = existsSync(join(root, 'AGENTS.md')) ? ['AGENTS.md was read as instructions.'] : []
  return { agents: [coder({ root, journal, model, ...(mostMode !== undefined && { mostMode }) })], notes: [...notes, ...read] }
}

/** The model of the built-in coder: what the environment names, and without any name or key the offline one. */
function chooseModel({ env }: Terminal): { readonly model: string; readonly notes: readonly string[] } {
  const choice = createModels({ env }).choose()
  if (choice.kind === 'model') return { model: choice.id, notes: [] }
  const isBare = choice.kind === 'error' && Array.isArray(choice.context['found']) && choice.context['found'].length === 0
  if (choice.kind === 'error' && !isBare) throw new LoomError(choice.code, choice.message, { context: choice.context })
  const why = choice.kind === 'offline' ? choice.because : 'no key of a provider is set'
  const advice =
    'It follows fixed rules and is no language model: set a key such as ANTHROPIC_API_KEY, or LOOM_MODEL, for one. loom doctor says what is found.'
  return { model: 'offline', notes: [`Uses the offline model, because ${why}. ${advice}`] }
}

/** The journal that is named, the usual one of this folder, or a new one in `.loom`, which git leaves out. */
async function coderJournal(terminal: Terminal, { journal, absent = 'created' }: AgentsOptions): Promise<Journal> {
  if (namedJournal(journal, terminal) !== undefined || absent === 'refused') return openJournal(journal, terminal, absent)
  const folder = join(terminal.cwd, '.loom')
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, '.gitignore'), '*\n')
  }
  return openJournal(join(folder, 'loom.db'), terminal, 'created')
}
