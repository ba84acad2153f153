/** SHA-256 where Node's own is at hand: the one-shot `crypto.hash` costs less than the event it digests. */
interface NodeProcess {
  getBuiltinModule(name: 'crypto'): { hash(algorithm: string, text: string, encoding: 'hex'): string }
}

const { hash } = (globalThis as typeof globalThis & { process: NodeProcess }).process.getBuiltinModule('crypto')

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex')
