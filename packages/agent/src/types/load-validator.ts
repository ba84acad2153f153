/** The library that checks values against JSON Schemas: loaded by the first value that needs it, and from then on there at once. */
import type * as JsonSchemaLibrary from '@cfworker/json-schema'

/** What is used of it. */
export type Library = Pick<typeof JsonSchemaLibrary, 'dereference' | 'validate'>

let loaded: Library | undefined

/** The library, at once where it is loaded. */
export function loadValidator(): Library | Promise<Library> {
  return loaded ?? import('@cfworker/json-schema').then(({ dereference, validate }) => (loaded = { dereference, validate }))
}

/** Loads the library before a value needs it. */
export async function loadValidation(): Promise<void> {
  await loadValidator()
}
