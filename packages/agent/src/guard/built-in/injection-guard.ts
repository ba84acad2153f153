/** The guard that warns of texts that read like instructions to the model. It decides nothing: what holds is taint and permissions. */
import { plainText } from '../../platform/plain-text.ts'
import type { Guard, LookAt } from '../guard.ts'

/** What instructions in foreign texts often say, and what is said of it. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your|system)\b[^.\n]{0,20}\b(?:instructions?|prompts?|rules?|messages?)\b/i,
    'it tells the model to ignore its instructions',
  ],
  [
    /\byou are now\b|\bfrom now on,? you\b|\bact as (?:if|an? )\b[^.\n]{0,40}\b(?:admin|root|developer|unrestricted)\b/i,
    'it gives the model another role',
  ],
  [
    /<\/?(?:system|assistant|instructions?)>|\[\/?(?:INST|SYSTEM)\]|<\|(?:im_start|im_end|system)\|>|^\s*(?:system|assistant)\s*:/im,
    'it has marks of a conversation',
  ],
  [/\bdo not (?:tell|inform|mention|show|reveal)\b[^.\n]{0,40}\b(?:the )?(?:user|human|anyone)\b/i, 'it asks to keep something from the user'],
  [
    /\b(?:send|forward|post|upload|exfiltrate|mail|email)\b[^.\n]{0,60}\b(?:api[_ ]?keys?|passwords?|secrets?|tokens?|credentials?|\.env)\b/i,
    'it asks for secrets',
  ],
  [/\b(?:reveal|print|repeat|show)\b[^.\n]{0,30}\b(?:system prompt|your (?:instructions|prompt))\b/i, 'it asks for the instructions of the model'],
  [/[\u{e0000}-\u{e007f}]|[\u202a-\u202e\u2066-\u2069]/u, 'it has invisible characters that change how it reads'],
  [/!\[[^\]]*\]\(https?:\/\/[^)\s]*[?&=][^)\s]*\)/, 'it has an image whose address may carry data away'],
]

/** Characters that are looked at. */
const most = 100_000

/**
 * Warns, in the records of results and inputs, of texts that read like instructions to the model. Warnings decide nothing.
 *
 * @example
 * agent({ model, tools, guards: [injectionGuard()] })
 */
export function injectionGuard(): Guard {
  const look: LookAt = (text) => {
    const raw = text.slice(0, most)
    const plain = plainText(raw)
    const found = phrases.filter(([pattern]) => pattern.test(raw) || pattern.test(plain)).map(([, words]) => words)
    return found.length > 0 ? { warn: found.join('; ') } : undefined
  }
  return { name: 'injection', input: look, result: look, onError: 'pass' }
}
