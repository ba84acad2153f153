/** The label with which format 1 kept the moment of a fork: `"$fork":"thread@seq"`. It is still read, and never written. */
import type { ForkOf, JsonObject, Summary } from '@loom-agent/kernel'

/** The moment that a summary of format 1 names; the incarnation of a thread of format 1 is its name. */
export function forkOfLabel({ labels }: Summary): ForkOf | undefined {
  const label = labels?.['$fork']
  // Users could set labels too: what names no moment is one of theirs, and stays a label.
  const [, thread, seq] = (typeof label === 'string' && /^(.+)@([1-9]\d*)$/su.exec(label)) || []
  return thread === undefined || !Number.isSafeInteger(Number(seq)) ? undefined : { thread, incarnation: thread, seq: Number(seq) }
}

/** A summary of format 1 without that label. */
export function withoutForkLabel(summary: Summary): Summary {
  if (!summary.labels || !forkOfLabel(summary)) return summary
  const { $fork: _fork, ...labels } = summary.labels
  const { labels: _labels, ...rest } = summary
  return Object.keys(labels).length === 0 ? rest : { ...rest, labels }
}

/** The moment that the labels in a database name, and the text of the other labels. Labels that are broken name none: reading them reports it. */
export function forkInLabels(text: string): { readonly forkOf: ForkOf; readonly labels: string | null } | undefined {
  let summary: Summary
  try {
    summary = { status: 'idle', labels: JSON.parse(text) as JsonObject }
  } catch {
    return undefined
  }
  const forkOf = forkOfLabel(summary)
  const { labels } = withoutForkLabel(summary)
  return forkOf && { forkOf, labels: labels ? JSON.stringify(labels) : null }
}
