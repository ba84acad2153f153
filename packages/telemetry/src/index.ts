/** Loom's views of journals: folds over events, and exports of them to other tools. */

export { chat } from './chat/chat.ts'
export { type CallStatus, type ChatCall, type ChatFile, type ChatItem, type ShownText, shown } from './chat/chat-item.ts'
export { type ChainedCall, toolChainOf } from './chat/tool-chain.ts'
export { type ComparedStep, compareSteps, type StepComparison, type StepTotals } from './compare/compare-steps.ts'
export { type Step, type StepKind, steps } from './compare/step.ts'
export {
  type ContextMatrix,
  cellOf,
  contextMatrix,
  type MatrixCell,
  type MatrixEntry,
  type MatrixRebase,
  type MatrixRequest,
  type Presence,
} from './context/context-matrix.ts'
export { type ChromeTrace, chromeTraceOf, type TraceEvent } from './export/chrome-trace.ts'
export { markdownOf } from './export/markdown.ts'
export { type OtlpAttribute, type OtlpSpan, type OtlpThread, type OtlpTraces, otlpOf, spanIdOf, traceIdOf } from './export/otlp.ts'
export { type SpeedscopeFile, type SpeedscopeProfile, speedscopeOf } from './export/speedscope.ts'
export { type ChangedFile, fileChanges, type TurnChanges } from './files/file-changes.ts'
export { type Advice, type AdviceThresholds, adviceFor } from './metrics/advice.ts'
export { type Durations, durationBounds } from './metrics/durations.ts'
export { createJournalMetrics, type JournalMetrics, type MetricsQuery, runsByTime } from './metrics/journal-metrics.ts'
export { prometheusOf } from './metrics/prometheus.ts'
export { type RunMetrics, type RunStatus, runMetrics, type ToolMetrics } from './metrics/run-metrics.ts'
export { type MetricsLine, type MetricsSeries, type SeriesBy, type SeriesOptions, seriesOf } from './metrics/series.ts'
export { type MetricsSummary, summarizeMetrics, type ToolSummary } from './metrics/summary.ts'
export {
  createResourceMonitor,
  type ResourceMonitor,
  type ResourceMonitorOptions,
  type ResourceReading,
  type ResourceSample,
} from './resources/resource-monitor.ts'
export { type Columns, type Span, type SpanKind, type SpanStatus, spanAt, spanKinds, spanStatuses, spansOf } from './span/columns.ts'
export { type CostNode, costTreeOf } from './span/cost-tree.ts'
export { type Overview, overviewOf } from './span/overview.ts'
export { skeleton } from './span/skeleton.ts'
export { type EventHeader, headerOf } from './view/event-header.ts'
export { type Projection, viewOf } from './view/projection.ts'
export { createProjector, type Projector, type ProjectorCounts, type ProjectorOptions, type ViewCache, type Viewed } from './view/projector.ts'
