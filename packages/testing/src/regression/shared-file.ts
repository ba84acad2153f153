/** The file of the parts that the recorded runs of an agent have in common, and the one test of it. */
import { fileURLToPath } from 'node:url'
import type { AnyAgent } from '@loom-agent/agent'
import { checkOptions, definitionOf, expected, loadOnUse } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { changesText, isAccepting } from './accept.ts'
import { firstDifference } from './compared-data.ts'
import { RunDivergence } from './divergence.ts'
import { readJson } from './fixture.ts'
import { type Redact, redactSecrets } from './redact.ts'
import { partsOf, type SharedParts } from './shared-parts.ts'
import { replaceFile } from './write-file.ts'

const format = 1

/** Whether the parts are the same for every run: neither instructions nor tools nor the context are made for one. */
export function hasSharedParts(agent: AnyAgent): boolean {
  const { instructions, tools, context } = definitionOf(agent).options
  return typeof instructions !== 'function' && typeof tools !== 'function' && context === undefined
}

/** The name of the file for an agent. */
export const sharedName = (agent: string): string => `${agent.replace(/[^\w.-]/g, '-')}.shared.json`

/** The parts as a file has them. */
export const partsText = (parts: SharedParts): string => `${JSON.stringify({ format, parts }, null, 2)}\n`

/** Reads the parts of a file. */
export function readParts(source: URL): SharedParts {
  const read = readJson(source) as { readonly format?: number; readonly parts?: SharedParts }
  if (read.format === format && read.parts) return read.parts
  const message = `${fileURLToPath(source)} holds no shared parts of format ${format}. Write it again with writeRegression.`
  throw new LoomError('LOOM_OPTION_INVALID', message, { context: { format: String(read.format) } })
}

/** What the comparison of an agent with its shared parts needs. */
export interface SameAgentOptions {
  /** The redaction that the fixtures were written with, where it was not the default. */
  readonly redact?: Redact
  /** Whether the file is replaced where the agent has changed; see `SameRunOptions`. */
  readonly accept?: boolean
}

/**
 * Compares the instructions, tools, settings and limits of an agent with those that its recorded runs share, and throws a `RunDivergence` at the first
 * difference. The tests of those runs do not compare them: a change is reported once.
 */
export async function assertSameAgent(agent: AnyAgent, source: URL, options: SameAgentOptions = {}): Promise<void> {
  checkOptions('assertSameAgent', options, { redact: expected.function, accept: expected.flag })
  const isAccepted = isAccepting(options.accept, source)
  await loadOnUse()
  const before = readParts(source)
  const now = await partsOf(agent, options.redact ?? redactSecrets())
  const found = firstDifference(before, now)
  if (!found) return
  const { path, recorded, replayed } = found
  const step = `agent ${agent.name}, ${path}`
  if (!isAccepted) {
    const advice = 'All recorded runs of the agent share this: look whether the change is meant for all of them.'
    throw new RunDivergence({ step, recorded, replayed, advice })
  }
  replaceFile(fileURLToPath(source), partsText(now))
  console.warn(changesText(source, [{ step, recorded, now: replayed }]))
}
