/**
 * Whether somebody had something before his eyes.
 *
 * LOOKED-1. What is shown counts as seen when its end was in view. What changes is another thing, and was not seen.
 */
import { type RefObject, useEffect, useState } from 'react'

/** Whether the element at the end of what has this key was in view. */
export function useSeen(key: string, end: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState<string>()
  useEffect(() => {
    const element = end.current
    if (!element) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(key)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [key, end])
  return seen === key
}
