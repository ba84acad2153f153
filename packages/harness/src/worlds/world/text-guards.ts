/**
 * What the program of a world takes out of texts, as guards of its agents:
 *
 * - secrets of well-known formats, out of inputs, results and replies, before they are stored and before the model reads them;
 * - addresses of sites that the program does not know, out of replies: a window that shows an answer loads the pictures in it.
 */
import type { Guard } from '@loom-agent/agent'
import { secretsGuard } from '@loom-agent/agent/guards'
import type { Guards } from './guards.ts'

/** The guards that look at texts in a world. */
export function textGuards({ redaction, answers }: Guards): readonly Guard[] {
  return [...(redaction ? [secretsGuard()] : []), ...(answers ? [knownAddresses] : [])]
}

/** What a window may take for an address, with its protocol or without. */
const address = /(?:https?:)?\/\/(?<host>[^\s/?#()[\]"'<>]*)[^\s()[\]"'<>]*/giu

const knownOnly = (whole: string, host: string): string => (/^docs\.test(?::\d+)?$/i.test(host) ? whole : '[address left out]')

const knownAddresses: Guard = { name: 'addresses', output: (text) => ({ rewrite: text.replaceAll(address, knownOnly) }) }
