/**
 * What every run of an agent has in common: instructions, tools, settings and limits. Fixtures of one agent keep it once, in a file of its own.
 *
 * RECORDED-11. A fixture that shares these parts names them, and its test takes the agent's own: a change of them is reported by one test, not by all.
 */
import { type AnyAgent, memoryJournal } from '@loom-agent/agent'
import { canonicalJson, type Json, type JsonObject, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { createRebuilder } from '../double/rebuild-agent.ts'
import { scriptedModel } from '../double/scripted-model.ts'
import type { Fixture, FixtureEvent, FixtureRequest } from './fixture.ts'
import { type Redact, replaceTexts } from './redact.ts'

/** The names of the parts. */
const partNames = ['instructions', 'tools', 'settings', 'limits'] as const
type PartName = (typeof partNames)[number]

/** The parts that the runs of an agent have in common. */
export type SharedParts = Readonly<Record<PartName, Json>>

/** The parts of an agent as it is: those of a run that is stopped when its model is called. */
export async function partsOf(agent: AnyAgent, redact: Redact): Promise<SharedParts> {
  const journal = memoryJournal()
  const model = scriptedModel({ text: '', stallAfter: 0 })
  const rebuilt = createRebuilder({
    options: () => ({ journal, model, hooks: [], observers: [] }),
    hook: (hook) => hook,
    body: (_tool, run) => run,
    step: (_place, run) => run,
    check: (_tool, check) => check,
  }).agent(agent)
  const run = rebuilt.start('.', { thread: 'parts' })
  const events: LoomEvent[] = []
  for await (const { type } of run.events()) if (type === 'model.requested') break
  await run.stop('The parts are known.')
  await run.result()
  for await (const event of readEvents(journal, 'parts')) events.push(event)
  return replaceTexts(partsIn(events), redact)
}

function partsIn(events: readonly LoomEvent[]): SharedParts {
  const parts: Record<PartName, Json> = { instructions: '', tools: [], settings: {}, limits: {} }
  for (const { type, data } of events) {
    if (type === 'context.assembled' && data.rebase) Object.assign(parts, { instructions: data.rebase.system ?? '', tools: data.rebase.tools ?? [] })
    if (type === 'run.started' && 'request' in data) Object.assign(parts, { settings: data.request.settings ?? {}, limits: data.request.limits })
  }
  return JSON.parse(JSON.stringify(parts)) as SharedParts
}

/** What stands in a file for a part. */
type PartReference = { readonly $shared: PartName }

const isReference = (value: Json | undefined): value is PartReference =>
  typeof value === 'object' && value !== null && partNames.includes((value as PartReference).$shared)

/** Replaces the value of a place at which a part may stand. */
type Replace = (part: PartName, value: Json) => Json

/** The fixture with the name of a part wherever the part itself is. */
export function withReferences(fixture: Fixture, parts: SharedParts): Fixture {
  const texts = Object.fromEntries(partNames.map((name) => [name, canonicalJson(parts[name])]))
  return replaceParts(fixture, (part, value) => (canonicalJson(value) === texts[part] ? { $shared: part } : value))
}

/** The fixture with the parts themselves. */
export function withParts(fixture: Fixture, parts: SharedParts): Fixture {
  return replaceParts(fixture, (_part, value) => (isReference(value) ? parts[value.$shared] : value))
}

/** Parts are shared by the runs of the root: children are other agents. */
function replaceParts(fixture: Fixture, replace: Replace): Fixture {
  const [root, ...children] = fixture.threads
  if (!root) return fixture
  const events = root.events.map((event) => ({ ...event, data: replaceInData(event, replace) }) as FixtureEvent)
  return { ...fixture, threads: [{ ...root, events, requests: root.requests.map((request) => replaceInRequest(request, replace)) }, ...children] }
}

function replaceInData({ type, data }: FixtureEvent, replace: Replace): JsonObject {
  const fields = data as JsonObject
  if (type === 'context.assembled' && fields['rebase']) {
    const { system, tools, ...rest } = fields['rebase'] as JsonObject & Readonly<Record<'system' | 'tools', Json>>
    return { ...fields, rebase: { ...rest, system: replace('instructions', system), tools: replace('tools', tools) } }
  }
  if ((type === 'run.started' || type === 'run.queued') && fields['request']) {
    const { settings: own = {}, limits, ...rest } = fields['request'] as JsonObject & { readonly settings?: JsonObject; readonly limits: Json }
    const settings = replace('settings', own)
    return { ...fields, request: { ...rest, ...(!isEmpty(settings) && { settings }), limits: replace('limits', limits) } }
  }
  return fields
}

/** Whether there are no settings: a run without any does not name them. */
const isEmpty = (settings: Json): boolean => Object.keys(settings as object).length === 0

/** The system message is there when there are instructions. Requests name it after a rebase only. */
function replaceInRequest(request: FixtureRequest, replace: Replace): FixtureRequest {
  const settings = replace('settings', request.settings) as JsonObject
  if (!request.rebased) return { ...request, settings }
  const [first, ...rest] = request.messages as readonly JsonObject[]
  const isSystem = first?.['role'] === 'system'
  const content = replace('instructions', isSystem ? (first['content'] as Json) : '')
  const system = content === '' ? [] : [{ role: 'system', ...(isSystem && first), content } as Json]
  return { ...request, settings, messages: [...system, ...(isSystem ? rest : request.messages)] }
}
