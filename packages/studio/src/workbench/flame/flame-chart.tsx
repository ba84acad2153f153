/** The chart: a canvas of spans over time. The list of events is its twin for those who do not see it. */
import { type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState, type WheelEvent } from 'react'
import { useWords } from '../../design/words.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { benchWords } from '../words.ts'
import { draw, ruler } from './draw.ts'
import { type Palette, readPalette } from './palette.ts'
import { type Chart, type ChartView, panned, type Rectangle, rectanglesOf, spanAtPixel, zoomed } from './rectangles.ts'
import { SpanLine } from './span-line.tsx'

interface FlameChartProps {
  readonly chart: Chart
  /** The span of the selection; -1 without one. */
  readonly selected: number
  /** The time of the moment, in milliseconds after the base; `undefined` at the end. */
  readonly moment: number | undefined
  readonly onSelect: (index: number) => void
}

/** The palette of an element, again when the colours change. */
function usePalette(element: HTMLElement | null): Palette | undefined {
  const [palette, setPalette] = useState<Palette>()
  useEffect(() => {
    if (!element) return
    const read = (): void => setPalette(readPalette(element))
    read()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', read)
    document.addEventListener('themechange', read)
    return () => {
      dark.removeEventListener('change', read)
      document.removeEventListener('themechange', read)
    }
  }, [element])
  return palette
}

function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** The chart. */
export function FlameChart({ chart, selected, moment, onSelect }: FlameChartProps): ReactNode {
  const text = useWords(benchWords)
  const [box, setBox] = useState<HTMLDivElement | null>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = usePalette(box)
  const width = useWidth(box)
  const [zoom, setZoom] = useState<ChartView>()
  const [hovered, setHovered] = useState<Rectangle>()
  const whole = { from: 0, to: Math.max(1, chart.axis.length) }
  const view = zoom ?? whole
  const height = ruler + chart.placed.rows.length * (palette?.lane ?? 0) + 4
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

  const move = (next: ChartView): void => setZoom(next.to - next.from >= whole.to ? undefined : next)
  const zoomAt = (by: number, around: number = (view.from + view.to) / 2): void => move(zoomed(view, chart.axis, { around, by }))
  const fit = (): void => {
    if (selected < 0) return
    const from = chart.axis.place(chart.columns.start[selected] ?? 0)
    const end = chart.columns.end[selected] ?? -1
    const to = chart.axis.place(end < 0 ? chart.now : end)
    const length = Math.max(1, to - from)
    move(zoomed({ from: from - length / 4, to: to + length / 4 }, chart.axis, { around: from + length / 2, by: 1 }))
  }
  useKeys({
    heading: text.chart,
    bindings: [
      { keys: 'w', label: text.zoomIn, run: () => zoomAt(0.5) },
      { keys: 's', label: text.zoomOut, run: () => zoomAt(2) },
      { keys: 'a', label: text.earlier, run: () => move(panned(view, chart.axis, -0.25)) },
      { keys: 'd', label: text.later, run: () => move(panned(view, chart.axis, 0.25)) },
      { keys: 'f', label: text.fit, run: fit },
      { keys: '0', label: text.whole, run: () => setZoom(undefined) },
    ],
  })

  const at = ({ nativeEvent }: PointerEvent | WheelEvent): Rectangle | undefined =>
    spanAtPixel(rectangles, nativeEvent.offsetX, Math.floor((nativeEvent.offsetY - ruler) / (palette?.lane ?? 1)))
  const drag = useRef<{ readonly x: number; readonly view: ChartView; moved: boolean } | undefined>(undefined)
  const onPointerMove = (event: PointerEvent): void => {
    const dragged = drag.current
    if (!dragged) return setHovered(at(event))
    const by = (dragged.x - event.clientX) / width
    if (Math.abs(by * width) > 3) dragged.moved = true
    if (dragged.moved && zoom) move(panned(dragged.view, chart.axis, by))
  }
  const onPointerUp = (event: PointerEvent): void => {
    const isClick = drag.current && !drag.current.moved
    drag.current = undefined
    const found = isClick ? at(event) : undefined
    if (found) onSelect(found.index)
  }
  useWheel(canvas, (event) => {
    if (event.ctrlKey || event.metaKey) zoomAt(event.deltaY > 0 ? 1.25 : 0.8, view.from + event.offsetX / scale)
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) move(panned(view, chart.axis, event.deltaX / width))
    else return false
    return true
  })

  return (
    <section className="chart" aria-label={text.chart}>
      <div className="chart-rows" ref={setBox}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={text.chartHint}
          style={{ height }}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, view, moved: false }
          }}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerLeave={() => {
            drag.current = undefined
            setHovered(undefined)
          }}
          onDoubleClick={fit}
        />
      </div>
      <div className="chart-foot">
        <SpanLine chart={chart} rectangle={hovered} selected={selected} />
        <span className="grow" />
        <ZoomButtons onZoom={zoomAt} onWhole={() => setZoom(undefined)} isWhole={zoom === undefined} />
      </div>
    </section>
  )
}

/** Wheels are listened to actively: a page that scrolls under a zoom is no zoom. `listener` says whether it took the wheel. */
function useWheel(element: { readonly current: HTMLElement | null }, listener: (event: globalThis.WheelEvent) => boolean): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const found = element.current
    const listen = (event: globalThis.WheelEvent): void => {
      if (latest.current(event)) event.preventDefault()
    }
    found?.addEventListener('wheel', listen, { passive: false })
    return () => found?.removeEventListener('wheel', listen)
  }, [element])
}

interface ZoomButtonsProps {
  readonly onZoom: (by: number) => void
  readonly onWhole: () => void
  readonly isWhole: boolean
}

function ZoomButtons({ onZoom, onWhole, isWhole }: ZoomButtonsProps): ReactNode {
  const text = useWords(benchWords)
  return (
    <span className="zoom">
      <button type="button" className="button plain" aria-label={text.zoomOut} disabled={isWhole} onClick={() => onZoom(2)}>
        −
      </button>
      <button type="button" className="button plain" disabled={isWhole} onClick={onWhole}>
        {text.whole}
      </button>
      <button type="button" className="button plain" aria-label={text.zoomIn} onClick={() => onZoom(0.5)}>
        +
      </button>
    </span>
  )
}
