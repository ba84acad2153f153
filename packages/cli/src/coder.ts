/** The built-in coder, for configurations. An entry of its own: the command line loads it only where it is needed. */

export { type CoderOptions, coder } from './coder/coder.ts'
