/**
 * A persistent list: appending shares all but the last path with the list before.
 *
 * LIST-1. A frame never copies its history. `append` and `replaceAt` touch one path of a 32-way tree; every earlier list stays valid and unchanged.
 */
const bits = 5
const width = 1 << bits
const mask = width - 1

type Node<T> = readonly (T | Node<T>)[]

/** A persistent, append-mostly list of plain data: a tree with `height` levels above its leaves. Read it with `at` and `items`. */
export type List<T> = { readonly length: number; readonly height: number; readonly root: Node<T> }

const empty: List<never> = { length: 0, height: 0, root: [] }

/** The list without items. */
export function emptyList<T>(): List<T> {
  return empty
}

/** The list with one more item at its end. */
export function append<T>(list: List<T>, item: T): List<T> {
  const full = list.length === width << (bits * list.height)
  const height = full ? list.height + 1 : list.height
  return { length: list.length + 1, height, root: withItem(full ? [list.root] : list.root, height, { index: list.length, item }) }
}

/** The list with the item at `index` replaced; an index outside the list leaves it as it is. */
export function replaceAt<T>(list: List<T>, index: number, item: T): List<T> {
  return index < 0 || index >= list.length ? list : { ...list, root: withItem(list.root, list.height, { index, item }) }
}

/** The item at `index`, counted from 0. */
export function at<T>(list: List<T>, index: number): T | undefined {
  return index < 0 || index >= list.length ? undefined : (leafAt(list, index)[index & mask] as T)
}

/** The items from `start` on, in order. */
export function* items<T>(list: List<T>, start = 0): Generator<T, void> {
  for (let index = Math.max(0, start); index < list.length; ) {
    const leaf = leafAt(list, index)
    for (let slot = index & mask; slot < leaf.length; slot += 1, index += 1) yield leaf[slot] as T
  }
}

function leafAt<T>({ root, height }: List<T>, index: number): Node<T> {
  let node = root
  for (let level = height; level > 0; level -= 1) node = node[(index >>> (bits * level)) & mask] as Node<T>
  return node
}

function withItem<T>(node: Node<T>, height: number, placed: { index: number; item: T }): Node<T> {
  const slot = (placed.index >>> (bits * height)) & mask
  const child = height === 0 ? placed.item : withItem((node[slot] ?? []) as Node<T>, height - 1, placed)
  // Replaces the child, or appends it where the slot is the next one. The copy is made in its final size.
  return node.toSpliced(slot, 1, child)
}
