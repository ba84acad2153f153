/** The tools of a world: Loom's own, those of its program, and a child. */
import { type Agent, agent, type Policy, type Tool } from '@loom-agent/agent'
import { redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { fileTools, httpTool, shellTools, taskTool, webTools } from '@loom-agent/tools'
import { bareFileTools, bareWebTools } from './bare-tools.ts'
import type { Guards } from './guards.ts'
import type { Office } from './office.ts'
import type { Scenario } from './scenario.ts'
import type { Stage } from './stage.ts'
import { textGuards } from './text-guards.ts'
import type { Workspace } from './workspace.ts'

/** What the tools work on. */
export interface Grounds {
  readonly stage: Stage
  readonly workspace: Workspace
  readonly office: Office
  readonly scenario: Scenario
  readonly guards: Guards
  /** A model for a child. */
  childModel(): LanguageModelV4
}

/** The tools of the world, by name. */
export function worldTools(grounds: Grounds): Readonly<Record<string, Tool | Agent>> {
  const { workspace, guards, office, scenario } = grounds
  const { root } = workspace
  // The agent keeps what it has read in files, so they may be what others wrote.
  const declared = { private: ['private'], untrusted: ['*'] }
  const files = guards.paths ? fileTools({ root, ...declared }) : bareFileTools(root)
  const made: Readonly<Record<string, Tool>> = {
    ...files,
    bash: shellTools({ cwd: root, ...declared, sandbox: guards.sandbox ? 'auto' : 'none' }).bash,
    ...netTools(grounds),
    ...office.tools,
  }
  const all = guards.taint ? made : Object.fromEntries(Object.entries(made).map(([name, one]) => [name, withoutTaint(one)]))
  const worker = agent({ name: 'worker', model: grounds.childModel(), guards: textGuards(guards) })
  const { helper } = scenario
  return {
    ...Object.fromEntries(Object.entries(all).filter(([name]) => !scenario.without?.includes(name))),
    task: taskTool({
      agent: worker,
      tools: pick(all, ['read_file', 'list', 'grep', 'fetch', 'bash', 'write_file']),
      // Without permissions a child may do what it was given.
      ...(!guards.permissions && { permissions: anything }),
    }),
    ...(helper && {
      helper: agent({
        name: 'helper',
        description: 'Helps with one thing.',
        instructions: helper.instructions,
        model: grounds.childModel(),
        guards: textGuards(guards),
        tools: pick(all, helper.tools),
        ...(helper.permissions && { permissions: helper.permissions }),
      }),
    }),
  }
}

/** The tool as if it brought and sent nothing. */
function withoutTaint(one: Tool): Tool {
  const { taint: _, ...definition } = toolDefinitionOf(one)
  return redefineTool(one, definition)
}

/** Everything runs, and what asks by itself as well. */
export const anything: Policy = { rules: [], default: 'allow', mode: 'bypass' }

const pick = (all: Readonly<Record<string, Tool>>, names: readonly string[]): Readonly<Record<string, Tool>> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))

/** Tools for the web, for which the servers of the world are public ones. */
function netTools({ stage, guards, scenario }: Grounds): Readonly<Record<string, Tool>> {
  const results = scenario.results ?? []
  const search = async (): Promise<typeof results> => results
  const { docsPort, evilPort, innerPort, resolve } = stage
  const allow = [`docs.test:${docsPort}`, `evil.test:${evilPort}`]
  // As if the service of the machine had the port of a web server: its address alone keeps requests away.
  const options = { allow, ports: [80, 443, innerPort], resolve, redirects: 'any' } as const
  const web = webTools({ ...options, search })
  return guards.reach ? { ...web, http_request: httpTool(options) } : { ...web, ...bareWebTools(resolve) }
}
