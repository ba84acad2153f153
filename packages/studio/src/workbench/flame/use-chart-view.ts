/** Which part of the time the chart shows, and the keys that change it. */
import { useState } from 'react'
import { useWords } from '../../design/words.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { benchWords } from '../words/words.ts'
import { type Chart, type ChartView, endOf, panned, zoomed } from './rectangles.ts'

/** The view of a chart. */
export interface ViewOfChart {
  readonly view: ChartView
  /** Whether all of the thread is shown; it stays so when the thread goes on. */
  readonly isWhole: boolean
  /** Shows a longer or a shorter part, around a place or the middle. */
  zoom(by: number, around?: number): void
  /** Moves a view by a part of its length. */
  pan(by: number, from?: ChartView): void
  /** Fits the selected span. */
  fit(): void
  /** Shows everything. */
  showAll(): void
}

/** The view, which the keys change. */
export function useChartView(chart: Chart, selected: number): ViewOfChart {
  const text = useWords(benchWords)
  const [zoomedTo, setZoomedTo] = useState<ChartView>()
  const { axis, columns } = chart
  const whole = { from: 0, to: Math.max(1, axis.length) }
  const view = zoomedTo ?? whole
  const move = (next: ChartView): void => setZoomedTo(next.to - next.from >= whole.to ? undefined : next)
  const zoom = (by: number, around: number = (view.from + view.to) / 2): void => move(zoomed(view, axis, { around, by }))
  const pan = (by: number, from: ChartView = view): void => move(panned(from, axis, by))
  const showAll = (): void => setZoomedTo(undefined)
  const fit = (): void => {
    if (selected < 0) return
    const from = axis.place(columns.start[selected] ?? 0)
    const to = axis.place(endOf(chart, selected))
    const length = Math.max(1, to - from)
    move(zoomed({ from: from - length / 4, to: to + length / 4 }, axis, { around: from + length / 2, by: 1 }))
  }
  useKeys({
    heading: text.chart,
    bindings: [
      { keys: 'w', label: text.zoomIn, run: () => zoom(0.5) },
      { keys: 's', label: text.zoomOut, run: () => zoom(2) },
      { keys: 'a', label: text.earlier, run: () => pan(-0.25) },
      { keys: 'd', label: text.later, run: () => pan(0.25) },
      { keys: 'f', label: text.fit, run: fit },
      { keys: '0', label: text.whole, run: showAll },
    ],
  })
  return { view, isWhole: zoomedTo === undefined, zoom, pan, fit, showAll }
}
