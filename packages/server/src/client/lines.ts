/** Lines that are sent: an exported thread. */

/** The text of the lines, their bytes, or a file that has them. */
export type Lines = string | Uint8Array<ArrayBuffer> | Blob
