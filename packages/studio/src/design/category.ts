/** Six categories of what happens on a thread; each has a colour and a shape. What holds the others, such as a run, has neither. */
import type { SpanKind } from '@loom-agent/telemetry'

/** What a span or an event is about. `frame`: a run, a turn, a thread, which hold the others. */
export type Category = 'context' | 'model' | 'tool' | 'step' | 'people' | 'child' | 'frame'

/** The categories that have a colour, in the order in which a legend shows them. */
export const categories = ['context', 'model', 'tool', 'step', 'people', 'child'] as const satisfies readonly Category[]

const ofSpans: { readonly [K in SpanKind]: Category } = {
  run: 'frame',
  turn: 'frame',
  context: 'context',
  compression: 'context',
  model: 'model',
  tool: 'tool',
  step: 'step',
  question: 'people',
  wait: 'people',
  child: 'child',
}

/** The category of a span. */
export const categoryOfSpan = (kind: SpanKind): Category => ofSpans[kind]

const ofNouns: ReadonlyMap<string, Category> = new Map(
  Object.entries({
    context: 'context',
    retrieval: 'context',
    memory: 'context',
    model: 'model',
    tool: 'tool',
    workspace: 'tool',
    question: 'people',
    message: 'people',
    child: 'child',
  } as const),
)

/** The category of an event, by its type. */
export function categoryOfEvent(type: string): Category {
  if (type.startsWith('tool.step-')) return 'step'
  const noun = type.slice(0, Math.max(0, type.indexOf('.')))
  return ofNouns.get(noun) ?? 'frame'
}

const failures = new Set(['run.failed', 'model.failed', 'context.compression-failed', 'tool.in-doubt', 'tool.denied'])

/** Whether an event says by its type that something went wrong. */
export const isFailure = (type: string): boolean => failures.has(type)
