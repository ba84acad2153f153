/** SHA-256 where Node's own is available: the one-shot `crypto.hash` costs less than the event it digests. Loaded at the first digest, not by the import. */
interface Crypto {
  hash(algorithm: string, text: string, encoding: 'hex'): string
}
interface NodeProcess {
  getBuiltinModule(name: 'crypto'): Crypto
}

let loaded: Crypto | undefined

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => {
  loaded ??= (globalThis as typeof globalThis & { process: NodeProcess }).process.getBuiltinModule('crypto')
  return loaded.hash('sha256', text, 'hex')
}
