/** A list of any length of which only the rows in view are built. One row is the current one, and the arrow keys move it. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { scrollFor, visibleRows } from './visible-rows.ts'

interface VirtualListProps {
  /** What the list is, for screen readers. */
  readonly label: string
  /** Names the rows in the document; one name a list. */
  readonly id: string
  readonly count: number
  /** The current row; -1 without one. */
  readonly current: number
  /** Notified when another row becomes the current one. */
  readonly onCurrent: (index: number) => void
  /** Notified when the current row is opened: Enter, or a double click. */
  readonly onOpen?: (index: number) => void
  /** The content of a row. */
  readonly children: (index: number) => ReactNode
  /** Notified of the rows in view. */
  readonly onVisible?: (from: number, to: number) => void
  /** A row that is high twice, such as on narrow screens. */
  readonly isTall?: boolean
}

const moves: { readonly [key: string]: (index: number, page: number) => number } = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  j: (index) => index + 1,
  k: (index) => index - 1,
  PageDown: (index, page) => index + page,
  PageUp: (index, page) => index - page,
  Home: () => 0,
  End: () => Number.POSITIVE_INFINITY,
}

/** The pixels of a row, as the tokens have them. */
function useRowHeight(isTall: boolean): number {
  const [height] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 1)
  return isTall ? 2 * height : height
}

/** How a list is scrolled, and how high it is. */
function useListView(box: { readonly current: HTMLElement | null }): { readonly top: number; readonly height: number } {
  const [view, setView] = useState({ top: 0, height: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [box])
  return view
}

/** The row that an element is in. */
function indexOf(target: EventTarget): number | undefined {
  const index = (target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index']
  return index === undefined ? undefined : Number(index)
}

/** A virtual list. */
export function VirtualList(props: VirtualListProps): ReactNode {
  const { label, id, count, current, onCurrent, onOpen, children, onVisible, isTall = false } = props
  const box = useRef<HTMLDivElement>(null)
  const row = useRowHeight(isTall)
  const view = useListView(box)
  const { from, to } = visibleRows({ count, row, ...view })

  useLayoutEffect(() => {
    const element = box.current
    if (!element || current < 0) return
    const top = scrollFor(current, { count, row, top: element.scrollTop, height: element.clientHeight })
    if (top !== undefined) element.scrollTop = top
  }, [current, count, row])

  useEffect(() => onVisible?.(from, to), [from, to, onVisible])

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && current >= 0) return onOpen?.(current)
    const move = moves[event.key]
    if (!move || count === 0) return
    event.preventDefault()
    event.stopPropagation()
    onCurrent(Math.min(count - 1, Math.max(0, move(current, Math.max(1, Math.floor(view.height / row) - 1)))))
  }

  const choose = ({ target }: MouseEvent, then: ((index: number) => void) | undefined): void => {
    const index = indexOf(target)
    box.current?.focus({ preventScroll: true })
    if (index !== undefined) then?.(index)
  }

  return (
    <div
      ref={box}
      className={isTall ? 'virtual-list tall' : 'virtual-list'}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current >= from && current < to ? `${id}-${current}` : undefined}
      onKeyDown={press}
      onClick={(event) => choose(event, onCurrent)}
      onDoubleClick={(event) => choose(event, onOpen)}
    >
      <div role="presentation" className="virtual-space" style={{ height: count * row }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset).map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="virtual-row"
            style={{ transform: `translateY(${index * row}px)` }}
            tabIndex={-1}
            data-index={index}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
