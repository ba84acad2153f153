/** The files of the studio, wherever they come from. */

/** A file of the studio. */
export interface StudioFile {
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Its media type. */
  readonly type: string
}

/** Finds a file by its path, such as `/index.html`; `undefined` when there is none. */
export type StudioFiles = (path: string) => Promise<StudioFile | undefined>
