/** What a thread would have sent to the model under other options. Nothing is called and nothing is appended. */
import {
  type ContextChange,
  type ContextStrategy,
  compress,
  type EntryName,
  everything,
  keepMore,
  type ModelSettings,
  type ReplayReport,
  window,
} from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'
import { list, number, object, oneOf, optional, text, whole } from '../route/described.ts'
import { type Route, route } from '../route/route.ts'
import { findDriven } from '../service/find-thread.ts'
import type { ServedAgent } from '../service/served-agent.ts'
import { ofAgent } from './schemas.ts'

const change = object({
  kind: oneOf('What is kept: entries, all results of a tool, or so many tokens or turns more.', 'pin', 'results', 'tokens', 'turns'),
  entries: optional(
    list(
      'The entries of `pin`, as hints of an explanation name them.',
      object({
        origin: optional(text('Where an entry comes from.', { least: 1 })),
        number: optional(whole('Its place among the entries of that origin, from 0.')),
        item: optional(text('Instead of both: the id of an item.', { least: 1 })),
      }),
    ),
  ),
  tool: optional(text('The tool of `results`.', { least: 1 })),
  more: optional(whole('How many `tokens` or `turns` more.', { least: 1 })),
})

const otherContext = object({
  strategy: optional(oneOf('The strategy; default `own`, that of the agent.', 'own', 'everything', 'window', 'compress')),
  turns: optional(whole('For `window`: the last turns that are shown.', { least: 1 })),
  tokens: optional(whole('For `window`, instead of turns: the tokens of the last entries that are shown.', { least: 1 })),
  max: optional(whole('For `compress`: the most tokens of a request.', { least: 1 })),
  trigger: optional(number('For `compress`: the share of the budget at which it compresses.')),
  target: optional(number('For `compress`: the share that it compresses to.')),
  keep: optional(list('What the strategy keeps besides, such as the changes of the hints of an explanation.', change)),
})
type OtherContext = NonNullable<typeof otherContext.type>

function invalid(message: string): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', message, { context: { status: 400 } })
}

function entryOf({ origin, number: place, item }: NonNullable<NonNullable<typeof change.type>['entries']>[number]): EntryName {
  if (item !== undefined) return { item }
  if (origin === undefined || place === undefined) throw invalid('An entry to keep has an origin and a number, or the id of an item.')
  return { origin: origin as Extract<EntryName, { origin: unknown }>['origin'], number: place }
}

function changeOf({ kind, entries, tool, more }: NonNullable<typeof change.type>): ContextChange {
  if (kind === 'pin' && entries) return { kind, entries: entries.map(entryOf) }
  if (kind === 'results' && tool !== undefined) return { kind, tool }
  if ((kind === 'tokens' || kind === 'turns') && more !== undefined) return { kind, more }
  throw invalid(`What is kept by ${kind} is missing: pin has entries, results a tool, tokens and turns how many more.`)
}

/** The strategy that a client describes. */
function strategyOf(agent: ServedAgent, given: OtherContext): ContextStrategy {
  const { strategy = 'own', turns, tokens, max, trigger, target, keep = [] } = given
  const strategies: { readonly [K in typeof strategy]: () => ContextStrategy } = {
    own: () => definitionOf(agent).context,
    everything: () => everything,
    window: () => window({ ...(turns !== undefined && { turns }), ...(tokens !== undefined && { tokens }) }),
    compress: () =>
      compress({ ...(max !== undefined && { max }), ...(trigger !== undefined && { trigger }), ...(target !== undefined && { target }) }),
  }
  return keep.map(changeOf).reduce(keepMore, strategies[strategy]())
}

const replayThread = route({
  name: 'replayThread',
  method: 'POST',
  path: '/threads/{thread}/replays',
  scope: 'read',
  summary: 'What a thread would have sent to the model with other options, turn by turn. Nothing is called and nothing is appended.',
  body: object({
    mode: optional(oneOf('When it ends; default `continue-recorded`.', 'stop-at-divergence', 'continue-recorded')),
    instructions: optional(text('Other instructions.', { most: 1 << 20 })),
    model: optional(text('Another model, by its id.', { least: 1 })),
    settings: optional(ofAgent<ModelSettings>('ModelSettings', 'Other settings.')),
    window: optional(whole('Another size of the window, in tokens.', { least: 1 })),
    context: optional(otherContext),
  }),
  reply: { schema: ofAgent<ReplayReport>('ReplayReport', 'What was found.') },
  async handle(call) {
    const { mode, context, ...changed } = call.body
    const { agent, head } = await findDriven(call, call.params.thread)
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
    const other = { ...given, ...(context && { context: strategyOf(agent, context) }) }
    const { fork: _, ...report } = (await agent.replay(head.thread, { ...(mode && { mode }), with: other })) as ReplayReport & {
      readonly fork?: unknown
    }
    return report
  },
})

/** Replays. */
export const replayRoutes: readonly Route[] = [replayThread]
