/**
 * Keys of views: one key, or two after another such as `g t`.
 *
 * HOTKEY-1. No key does anything while somebody types into a field, or with a modifier: those belong to the browser.
 */
import { createStore, type Readable } from '../data/store.ts'

/** What a key does. */
export interface KeyBinding {
  /** The key as the browser names it, or two with a space between. */
  readonly keys: string
  /** What it does, in the language of the page. */
  readonly label: string
  readonly run: () => void
}

/** Bindings of one view; the heading says which. */
export interface KeyGroup {
  readonly heading: string
  readonly bindings: readonly KeyBinding[]
}

/** What a key press does among the bindings, after the key before it. */
export interface Pressed {
  /** The binding that is meant. */
  readonly binding: KeyBinding | undefined
  /** The key that a second one may follow. */
  readonly pending: string | undefined
}

/** Finds what a key means. The view that was added last comes first. */
export function pressed(groups: readonly KeyGroup[], key: string, before: string | undefined): Pressed {
  const bindings = groups.toReversed().flatMap((group) => group.bindings)
  const both = before === undefined ? undefined : bindings.find(({ keys }) => keys === `${before} ${key}`)
  const binding = both ?? bindings.find(({ keys }) => keys === key)
  if (binding) return { binding, pending: undefined }
  const begins = bindings.some(({ keys }) => keys.startsWith(`${key} `))
  return { binding: undefined, pending: begins ? key : undefined }
}

const groups = createStore<readonly KeyGroup[]>([])

/** The keys that work now. */
export const keyGroups: Readable<readonly KeyGroup[]> = groups

/** Adds keys; returns what takes them away. */
export function addKeys(group: KeyGroup): () => void {
  groups.set([...groups.get(), group])
  return () => groups.set(groups.get().filter((one) => one !== group))
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=range]):not([type=checkbox]), textarea, select'))

/** Listens to the keys of a document; returns what ends that. A dialog that is open has its own keys. */
export function listenToKeys(document: Document): () => void {
  let before: { readonly key: string; readonly at: number } | undefined
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    if (document.querySelector('dialog[open]')) return
    const known = before && event.timeStamp - before.at < 1500 ? before.key : undefined
    const { binding, pending } = pressed(groups.get(), event.key, known)
    before = pending === undefined ? undefined : { key: pending, at: event.timeStamp }
    if (!binding) return
    event.preventDefault()
    binding.run()
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}
