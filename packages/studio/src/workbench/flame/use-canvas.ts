/** What a canvas needs of the page: its width, and the colours of the tokens. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Palette, readPalette } from './palette.ts'

/** The palette of an element, again when the colours change. */
export function usePalette(element: HTMLElement | null): Palette | undefined {
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

/** The width of an element, again when it changes. */
export function useWidth(element: HTMLElement | null): number {
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

/** Wheels are listened to actively: a page that scrolls under a zoom is no zoom. `listener` says whether it took the wheel. */
export function useWheel(element: { readonly current: HTMLElement | null }, listener: (event: WheelEvent) => boolean): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const found = element.current
    const listen = (event: WheelEvent): void => {
      if (latest.current(event)) event.preventDefault()
    }
    found?.addEventListener('wheel', listen, { passive: false })
    return () => found?.removeEventListener('wheel', listen)
  }, [element])
}
