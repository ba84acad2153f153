/**
 * What a hook may return at each point.
 *
 * HOOK-1. A return value that does not fit counts as a throw of the hook: nothing of it is journaled or reaches another hook.
 */
import type { Part } from '@loom-agent/kernel'
import { settingsShape } from '../model/model.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { isDecision } from './hook.ts'
import type { HookPoint } from './points.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => expected.object.fits(value)
const isText = (value: unknown): boolean => typeof value === 'string'

/** For each type of a part, whether it has what it needs. */
const parts: { readonly [T in Part['type']]: (part: Fields) => boolean } = {
  text: ({ text }) => isText(text),
  reasoning: ({ text }) => isText(text),
  call: ({ id, name, input }) => isText(id) && expected.name.fits(name) && input !== undefined,
  file: ({ mediaType }) => isText(mediaType),
  data: ({ data }) => data !== undefined,
  provider: ({ part }) => part !== undefined,
}

/** Parts of a message, whole. */
const partList: Expected = expected.list(
  { words: 'a part', fits: (part) => isFields(part) && Object.hasOwn(parts, String(part['type'])) && parts[part['type'] as Part['type']](part) },
  `a list of parts of the types ${Object.keys(parts).join(', ')}, such as { type: 'text', text } or { type: 'call', id, name, input }`,
)

/** An output that can be shown to a model. */
const output: Expected = {
  words: "{ type: 'text', value } or { type: 'json', value }",
  fits: (given) => {
    const { type, value } = isFields(given) ? given : {}
    if (type === 'json') return value !== undefined
    return type === 'parts' ? partList.fits(value) : ['text', 'error', 'denied'].includes(String(type)) && isText(value)
  },
}

const changes: Shape = { say: expected.text, settings: expected.options(settingsShape), limits: expected.object }
const contextChanges: Shape = { ...changes, instructions: expected.text }

const shapes: { readonly [P in HookPoint]: Shape } = {
  beforeIterationStart: changes,
  beforeContextAssembly: contextChanges,
  afterContextAssembly: contextChanges,
  beforeModelCall: { messages: { words: 'a list of messages', fits: Array.isArray }, settings: expected.options(settingsShape) },
  afterModelReply: { parts: expected.required(partList) },
  beforeToolExecution: { input: expected.required(expected.anything) },
  afterToolExecution: { output, status: expected.oneOf('success', 'error', 'warning') },
  beforeRecursion: changes,
  afterIterationEnd: changes,
}

/** What a hook may decide instead of changing something; a run may be suspended at every point. */
const decisions = { suspend: 'suspend()', skip: 'skip()', answer: 'answerWith()' } as const

/** Throws unless a point takes what was returned. */
export function checkReturned(point: HookPoint, returned: object): void {
  const { kind } = returned as { readonly kind?: keyof typeof decisions }
  if (kind === undefined || !Object.hasOwn(decisions, kind)) return checkOptions('what it returned', returned, shapes[point])
  // Data may look like a decision: a cached reply, a result of a tool.
  if (!isDecision(returned)) throw new Error(`it returned an object that only looks like ${decisions[kind]}. Call ${decisions[kind]} itself`)
  if (kind !== 'suspend' && point !== 'beforeToolExecution')
    throw new Error(`it returned ${decisions[kind]}, which only beforeToolExecution takes. Return suspend(), fields to change, or nothing`)
  const { output: given, reason } = returned as { readonly output?: unknown; readonly reason?: unknown }
  if (kind !== 'answer') checkOptions('what it returned', { reason }, { reason: expected.required(expected.text) })
  if (kind === 'answer') checkOptions('what it returned', { output: given }, { output: expected.required(output) })
}
