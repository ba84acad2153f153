/** Keys of a component, while it is there. */
import { useEffect, useRef } from 'react'
import { addKeys, type KeyGroup } from './keyboard.ts'

/** Adds the keys of a view. What a key does may change with every render; which keys there are may not. */
export function useKeys(group: KeyGroup): void {
  const latest = useRef(group)
  latest.current = group
  const { heading } = group
  useEffect(
    () =>
      addKeys({
        heading,
        bindings: latest.current.bindings.map((binding, index) => ({ ...binding, run: () => latest.current.bindings[index]?.run() })),
      }),
    [heading],
  )
}
