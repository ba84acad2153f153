/** Routes of views: folds over the events of one thread. */
import {
  type ChainedCall,
  type ChatItem,
  type Columns,
  type ContextMatrix,
  type CostNode,
  chat,
  chromeTraceOf,
  contextMatrix,
  costTreeOf,
  fileChanges,
  markdownOf,
  type Overview,
  otlpOf,
  overviewOf,
  type Projection,
  type RunMetrics,
  runMetrics,
  skeleton,
  speedscopeOf,
  type TurnChanges,
  toolChainOf,
} from '@loom-agent/telemetry'
import { type Described, list, object, oneOf, optional, whole } from '../route/described.ts'
import { type Call, type Route, route } from '../route/route.ts'
import { versioned } from '../route/versioned.ts'
import { findThread } from '../service/find-thread.ts'
import { seqOf, view } from './schemas.ts'

const moment = object({ at: optional(seqOf('The last event that counts; default: the last one of the thread.')) })
type MomentCall = Call<{ readonly thread: string }, { readonly at?: number | undefined }>

/** A view of a thread in some form, with a tag that changes with its events alone. */
async function viewed<State, View>(
  call: MomentCall,
  projection: Projection<State, View>,
  form: { readonly of: string; readonly make: (view: View, thread: string) => unknown },
): Promise<Response> {
  const { head } = await findThread(call, call.params.thread)
  const seq = Math.min(call.query.at ?? head.seq, head.seq)
  const of = `${form.of}.${projection.name}.${projection.version}`
  return versioned(call, { head, seq, of }, async () =>
    form.make((await call.service.projector.view(projection, head.thread, { at: seq })).view, head.thread),
  )
}

/** A route of a view. */
function viewRoute<State, View, R>(
  made: { readonly name: string; readonly path: string; readonly summary: string; readonly reply: Described<R> },
  projection: Projection<State, View>,
  make: (view: View) => R,
): Route {
  const { name, path, summary, reply } = made
  return route({
    ...{ name, method: 'GET', path: `/threads/{thread}/${path}`, scope: 'read', summary, query: moment, reply: { schema: reply } },
    handle: (call) => viewed(call, projection, { of: path, make }),
  })
}

/** An item of the view, as it is. */
const same = <T>(given: T): T => given

const getOverview = route({
  name: 'getOverview',
  method: 'GET',
  path: '/threads/{thread}/overview',
  scope: 'read',
  summary: 'Costs, tokens, errors and parallel calls of a thread over time, in buckets.',
  query: object({ at: optional(seqOf('The last event that counts.')), buckets: optional(whole('How many; default 600.', { least: 1, most: 5000 })) }),
  reply: { schema: view<Overview>('Overview', 'Figures over time.') },
  handle: (call) => {
    const { buckets = 600 } = call.query
    return viewed(call, skeleton, { of: `overview.${buckets}`, make: (columns) => overviewOf(columns, { buckets }) })
  },
})

const formats = ['speedscope', 'chrome', 'otlp', 'markdown'] as const

const exportThread = route({
  name: 'exportThread',
  method: 'GET',
  path: '/threads/{thread}/export',
  scope: 'read',
  summary: 'A thread for another tool: speedscope, Perfetto, a receiver of OpenTelemetry, or a reader of Markdown.',
  query: object({ format: oneOf('The form.', ...formats), at: optional(seqOf('The last event that counts.')) }),
  reply: { schema: { json: { description: 'What the tool reads; Markdown is text.' } } },
  async handle(call) {
    const { format } = call.query
    if (format === 'markdown') return viewed(call, chat, { of: format, make: (items, thread) => markdownOf(items, thread) })
    if (format === 'speedscope') return viewed(call, skeleton, { of: format, make: (columns, name) => speedscopeOf(columns, { name }) })
    if (format === 'chrome') return viewed(call, skeleton, { of: format, make: (columns, name) => chromeTraceOf([{ name, columns }]) })
    const { head, root } = await findThread(call, call.params.thread)
    const { thread, incarnation, summary } = head
    const agent = summary.agent ?? root.summary.agent ?? ''
    return viewed(call, skeleton, { of: format, make: (columns) => otlpOf({ thread, incarnation, agent, columns }) })
  },
})

/** Views of threads. */
export const viewRoutes: readonly Route[] = [
  viewRoute(
    { name: 'getSkeleton', path: 'skeleton', summary: 'The spans of a thread, in columns.', reply: view<Columns>('Columns', 'Spans.') },
    skeleton,
    same,
  ),
  getOverview,
  viewRoute(
    { name: 'getCosts', path: 'costs', summary: 'What a thread has cost, as a tree.', reply: view<CostNode>('CostNode', 'Costs.') },
    skeleton,
    costTreeOf,
  ),
  viewRoute(
    { name: 'getChat', path: 'chat', summary: 'A thread as a conversation.', reply: list('What it shows.', view<ChatItem>('ChatItem', 'An item.')) },
    chat,
    same,
  ),
  viewRoute(
    {
      name: 'getToolChain',
      path: 'tools',
      summary: 'The calls of a thread, in order.',
      reply: list('The calls.', view<ChainedCall>('ChainedCall', 'A call.')),
    },
    chat,
    toolChainOf,
  ),
  viewRoute(
    {
      ...{ name: 'getContextMatrix', path: 'context', summary: 'Which request has shown which entry of the history how.' },
      reply: view<ContextMatrix>('ContextMatrix', 'Requests, entries and rebases.'),
    },
    contextMatrix,
    same,
  ),
  viewRoute(
    {
      name: 'getRunMetrics',
      path: 'metrics',
      summary: 'Figures of the runs of a thread.',
      reply: list('A run each.', view<RunMetrics>('RunMetrics', 'A run.')),
    },
    runMetrics,
    same,
  ),
  viewRoute(
    {
      ...{ name: 'getFileChanges', path: 'changes', summary: 'What became of the files of workspaces, turn by turn.' },
      reply: list('The turns that changed files.', view<TurnChanges>('TurnChanges', 'A turn.')),
    },
    fileChanges,
    same,
  ),
  exportThread,
]
