/** An iterator whose reads follow one another, as those of a generator do. Unlike a generator it can be left while it waits for an item. */
export function serialIterator<T>(read: () => Promise<IteratorResult<T>>, leave: () => void | Promise<unknown>): AsyncIterableIterator<T> {
  let reading: Promise<unknown> = Promise.resolve()
  return {
    next() {
      const item = reading.then(read, read)
      reading = item
      return item
    },
    async return() {
      await leave()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
