/** Moving between addresses without loading the page again. */
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { type Place, placeOf } from './place.ts'

const listeners = new Set<() => void>()
let here = placeOf(location.pathname, location.search)
let address = location.pathname + location.search

function moved(): void {
  if (address === location.pathname + location.search) return
  address = location.pathname + location.search
  here = placeOf(location.pathname, location.search)
  for (const listener of listeners) listener()
}

/** Goes to an address. With `replace` the address before is forgotten: moving through a thread is one step back. */
export function go(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  moved()
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', moved)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the reader is. */
export const usePlace = (): Place => useSyncExternalStore(subscribe, () => here)

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

/** A link to another view. With a modifier it opens as links do. */
export function Link({ to, onClick, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return <a href={to} onClick={follow} {...rest} />
}
