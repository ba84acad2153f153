/** Node's crypto, loaded at the first use: a program that only imports a journal does not wait for it. */
type Crypto = typeof import('node:crypto')

let loaded: Crypto | undefined

const crypto = (): Crypto => {
  loaded ??= process.getBuiltinModule('node:crypto')
  return loaded
}

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => crypto().hash('sha256', data)

/** A new random id. */
export const randomUUID = (): string => crypto().randomUUID()
