/** Where a thread was cut off its parent, as the thread table says it: under a name among the labels that users cannot see. */
import type { Summary } from '@loom-agent/kernel'
import { type Moment, nameMoment, parseMoment } from '../types/moment.ts'

const label = '$fork'

/** The cut of a thread; null for one that is no fork. */
export function cutIn({ labels }: Summary): Moment | null {
  const cut = labels?.[label]
  return typeof cut === 'string' ? parseMoment(cut) : null
}

/** A summary that tells the cut. */
export function withCut(summary: Summary, cut: Moment): Summary {
  return { ...summary, labels: { ...summary.labels, [label]: nameMoment(cut) } }
}

/** A summary as users see it. */
export function withoutCut(summary: Summary): Summary {
  const { [label]: _hidden, ...labels } = summary.labels ?? {}
  return { ...summary, labels: Object.keys(labels).length > 0 ? labels : undefined }
}
