/** The chart: a canvas of spans over time. The list of events is its twin for those who do not see it. */
import { type PointerEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useWords } from '../../design/words.tsx'
import { benchWords } from '../words/words.ts'
import { draw, ruler } from './draw.ts'
import { type Chart, type ChartView, type Rectangle, rectanglesOf, spanAtPixel } from './rectangles.ts'
import { SpanLine } from './span-line.tsx'
import { usePalette, useWheel, useWidth } from './use-canvas.ts'
import { useChartView, type ViewOfChart } from './use-chart-view.ts'

interface FlameChartProps {
  readonly chart: Chart
  /** The span of the selection; -1 without one. */
  readonly selected: number
  /** The time of the moment, in milliseconds after the base; `undefined` at the end. */
  readonly moment: number | undefined
  readonly onSelect: (index: number) => void
}

/** The chart. */
export function FlameChart({ chart, selected, moment, onSelect }: FlameChartProps): ReactNode {
  const text = useWords(benchWords)
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = usePalette(box)
  const width = useWidth(box)
  const shown = useChartView(chart, selected)
  const { view } = shown
  const [hovered, setHovered] = useState<Rectangle>()
  const lane = palette?.lane ?? 1
  const height = ruler + chart.placed.rows.length * lane + 4
  const rectangles = width > 0 ? rectanglesOf(chart, view, width) : []
  const scale = width / (view.to - view.from)
  const momentX = moment === undefined ? undefined : (chart.axis.place(moment) - view.from) * scale

  useLayoutEffect(() => {
    const to = canvas.current?.getContext('2d')
    if (!to || !palette || width === 0) return
    const ratio = devicePixelRatio
    to.canvas.width = width * ratio
    to.canvas.height = height * ratio
    to.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw({ to, palette }, { chart, view, rectangles, width, height, selected, momentX })
  })

  const at = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent): Rectangle | undefined =>
    spanAtPixel(rectangles, offsetX, Math.floor((offsetY - ruler) / lane))
  const pointer = usePointer(shown, width, { at, onHover: setHovered, onSelect })
  useWheel(canvas, (event) => {
    if (event.ctrlKey || event.metaKey) shown.zoom(event.deltaY > 0 ? 1.25 : 0.8, view.from + event.offsetX / scale)
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) shown.pan(event.deltaX / width)
    else return false
    return true
  })

  return (
    <section className="chart" aria-label={text.chart}>
      <div className="chart-rows" ref={setBox}>
        <canvas ref={canvas} role="img" aria-label={text.chartHint} style={{ height }} {...pointer} onDoubleClick={shown.fit} />
      </div>
      <div className="chart-foot">
        <SpanLine chart={chart} rectangle={hovered} selected={selected} />
        <span className="grow" />
        <ZoomButtons shown={shown} />
      </div>
    </section>
  )
}

interface PointerTargets {
  at(event: PointerEvent): Rectangle | undefined
  onHover(rectangle: Rectangle | undefined): void
  onSelect(index: number): void
}

type PointerListeners = { readonly [K in 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerLeave']: (event: PointerEvent) => void }

/** A click selects, a drag moves what is zoomed. */
function usePointer({ view, isWhole, pan }: ViewOfChart, width: number, { at, onHover, onSelect }: PointerTargets): PointerListeners {
  const drag = useRef<{ readonly x: number; readonly view: ChartView; moved: boolean } | undefined>(undefined)
  return {
    onPointerDown(event) {
      drag.current = { x: event.clientX, view, moved: false }
    },
    onPointerMove(event) {
      const dragged = drag.current
      if (!dragged) return onHover(at(event))
      const away = dragged.x - event.clientX
      if (Math.abs(away) > 3) dragged.moved = true
      if (dragged.moved && !isWhole) pan(away / width, dragged.view)
    },
    onPointerUp(event) {
      const found = drag.current && !drag.current.moved ? at(event) : undefined
      drag.current = undefined
      if (found) onSelect(found.index)
    },
    onPointerLeave() {
      drag.current = undefined
      onHover(undefined)
    },
  }
}

function ZoomButtons({ shown: { zoom, showAll, isWhole } }: { readonly shown: ViewOfChart }): ReactNode {
  const text = useWords(benchWords)
  return (
    <span className="zoom">
      <button type="button" className="button plain" aria-label={text.zoomOut} disabled={isWhole} onClick={() => zoom(2)}>
        −
      </button>
      <button type="button" className="button plain" disabled={isWhole} onClick={showAll}>
        {text.whole}
      </button>
      <button type="button" className="button plain" aria-label={text.zoomIn} onClick={() => zoom(0.5)}>
        +
      </button>
    </span>
  )
}
