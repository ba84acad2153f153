/** What servers list besides tools. */

/** A resource of a server, in its own words. */
export interface McpResource {
  /** Its address. */
  readonly uri: string
  /** Its name. */
  readonly name: string
  /** What it is. */
  readonly description: string
  /** Its media type, where the server says it. */
  readonly mediaType?: string
}

/** A prompt of a server, in its own words. */
export interface McpPrompt {
  /** Its name. */
  readonly name: string
  /** What it is for. */
  readonly description: string
  /** Its arguments: their names, and whether they are needed. */
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
}
