/** Spans for OpenTelemetry: the JSON form of OTLP with the conventions for generative AI. */
import { freshDigest, rollDigest } from '@loom-agent/kernel'
import { type Columns, type Span, spansOf } from '../span/columns.ts'

/** A request to `/v1/traces` of an OTLP receiver. */
export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] }
    readonly scopeSpans: readonly { readonly scope: { readonly name: string; readonly version?: string }; readonly spans: readonly OtlpSpan[] }[]
  }[]
}

/** An attribute; 64-bit integers are decimal strings. */
export interface OtlpAttribute {
  readonly key: string
  readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number }
}

/** A span as receivers read it. */
export interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: 1 | 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly OtlpAttribute[]
  readonly status: { readonly code: 0 | 1 | 2 }
}

/** A thread to export. */
export interface OtlpThread {
  /** Its id. */
  readonly thread: string
  /** Which thread of that name it is. */
  readonly incarnation: string
  /** The agent it belongs to. */
  readonly agent: string
  /** Its spans. */
  readonly columns: Columns
  /** Of a child: the thread at the root of its tree, and the span of the call that started it. */
  readonly under?: { readonly trace: string; readonly span: string } | undefined
}

/** Hexadecimal digits that follow from a text alone: exporting again gives the same spans. */
function hexOf(text: string, digits: number): string {
  let hex = ''
  for (let salt = 0; hex.length < digits; salt += 1)
    hex += rollDigest(rollDigest(freshDigest, String(salt)), text)
      .toString(16)
      .padStart(8, '0')
  // Receivers refuse an id of zeros.
  return /^0+$/.test(hex) ? `${'0'.repeat(digits - 1)}1` : hex.slice(0, digits)
}

/** The id of the trace of a thread at the root of its tree. */
export const traceIdOf = (incarnation: string): string => hexOf(`trace ${incarnation}`, 32)

/** The id of the span of a thread that an event opened. */
export const spanIdOf = (incarnation: string, from: number): string => hexOf(`span ${incarnation} ${from}`, 16)

const text = (key: string, value: string | undefined): readonly OtlpAttribute[] =>
  value === undefined ? [] : [{ key, value: { stringValue: value } }]
const whole = (key: string, value: number): readonly OtlpAttribute[] => [{ key, value: { intValue: String(value) } }]

/** The spans of a thread for a receiver of OTLP. What is open is left out: a span is sent when it has ended. Contents are never sent. */
export function otlpOf({ thread, incarnation, agent, columns, under }: OtlpThread, version?: string): OtlpTraces {
  const trace = under?.trace ?? traceIdOf(incarnation)
  const all = [...spansOf(columns)]
  const spans = all.flatMap((span): OtlpSpan[] => {
    if (span.end === undefined) return []
    const parent = all[span.parent]
    const above = parent ? spanIdOf(incarnation, keyOf(parent)) : under?.span
    return [
      {
        traceId: trace,
        spanId: spanIdOf(incarnation, keyOf(span)),
        ...(above !== undefined && { parentSpanId: above }),
        name: nameOf(span, agent),
        kind: span.kind === 'model' ? 3 : 1,
        startTimeUnixNano: `${span.start}000000`,
        endTimeUnixNano: `${span.end}000000`,
        attributes: [...text('gen_ai.conversation.id', thread), ...whole('loom.seq', span.from), ...attributesOf(span, agent)],
        status: { code: span.status === 'ok' ? 1 : span.status === 'error' || span.status === 'lost' ? 2 : 0 },
      },
    ]
  })
  const scope = { name: 'loom', ...(version !== undefined && { version }) }
  return { resourceSpans: [{ resource: { attributes: text('service.name', agent) }, scopeSpans: [{ scope, spans }] }] }
}

/** One event may open two spans: a turn, and its context. */
const keyOf = ({ from, kind }: Span): number => from * 2 + (kind === 'context' ? 1 : 0)

function nameOf({ kind, name }: Span, agent: string): string {
  if (kind === 'run') return `invoke_agent ${agent}`
  if (kind === 'child') return `invoke_agent ${name}`
  if (kind === 'model') return `chat ${name}`
  if (kind === 'tool') return `execute_tool ${name}`
  return `loom.${kind}`
}

function attributesOf({ kind, name, input, output, cost, status, link }: Span, agent: string): readonly OtlpAttribute[] {
  const usage = [...whole('gen_ai.usage.input_tokens', input), ...whole('gen_ai.usage.output_tokens', output)]
  // Not part of the conventions, and read by receivers all the same: whole units.
  const price: readonly OtlpAttribute[] = cost === undefined ? [] : [{ key: 'gen_ai.usage.cost', value: { doubleValue: cost / 1_000_000 } }]
  const failed = text('error.type', status === 'ok' || status === 'stopped' ? undefined : status)
  if (kind === 'model') {
    return [...text('gen_ai.operation.name', 'chat'), ...text('gen_ai.request.model', name), ...usage, ...price, ...failed]
  }
  if (kind === 'tool') {
    return [...text('gen_ai.operation.name', 'execute_tool'), ...text('gen_ai.tool.name', name), ...text('gen_ai.tool.call.id', link), ...failed]
  }
  if (kind === 'run')
    return [...text('gen_ai.operation.name', 'invoke_agent'), ...text('gen_ai.agent.name', agent), ...text('loom.run', name), ...failed]
  if (kind === 'child') return [...text('gen_ai.operation.name', 'invoke_agent'), ...text('gen_ai.agent.name', name), ...usage, ...price, ...failed]
  return [...text(`loom.${kind}`, name), ...failed]
}
