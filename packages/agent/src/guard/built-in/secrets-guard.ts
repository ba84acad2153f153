/** The guard that takes secrets out of inputs, results and replies. */
import { redactJson, redactText } from '../../redact/redact.ts'
import { createRedactStream } from '../../redact/redact-stream.ts'
import type { Guard, LookAt } from '../guard.ts'

/**
 * Takes secrets out of inputs, results and replies before they are stored: `[redacted]` stands in place of a key, a token, a password under its name. The
 * rules are those by which errors are redacted.
 *
 * @example
 * agent({ model, tools, guards: [secretsGuard()] })
 */
export function secretsGuard(): Guard {
  const look: LookAt = (text, { name }) => {
    const clean = name === undefined ? redactText(text) : (redactJson({ [name]: text })[name] as string)
    return clean === text ? undefined : { rewrite: clean }
  }
  return { name: 'secrets', input: look, result: look, output: look, stream: () => createRedactStream() }
}
