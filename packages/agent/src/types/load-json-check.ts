/** How values are checked against JSON Schemas: loaded, with its library, by the first value that needs it, and from then on there at once. */
type Create = typeof import('./json-check.ts').createJsonCheck

let loaded: Create | undefined

/** What makes checks, at once where it is loaded. */
export function loadJsonCheck(): Create | Promise<Create> {
  return loaded ?? import('./json-check.ts').then(({ createJsonCheck }) => (loaded = createJsonCheck))
}

/** Loads it before a value needs it. */
export async function loadValidation(): Promise<void> {
  await loadJsonCheck()
}
