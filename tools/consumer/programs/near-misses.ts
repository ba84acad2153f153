/** A user of another library: an error about a name that is not Loom's suggests the one that is. */
import assert from 'node:assert/strict'
import { agent, isLoomError, tool } from 'loom-agent'

const refused = (make: () => unknown): string => {
  try {
    make()
  } catch (error) {
    if (isLoomError(error)) return error.message
    throw error
  }
  return ''
}
const given = (options: object): string => refused(() => agent(options as Parameters<typeof agent>[0]))
const defined = (definition: object): string => refused(() => tool({ run: () => 1, ...definition } as Parameters<typeof tool>[0]))

assert.match(given({ system: 'Be kind.' }), /Did you mean "instructions"\?/)
assert.match(given({ maxSteps: 5 }), /Did you mean "limits: \{ turns \}"\?/)
assert.match(given({ maxTurns: 5 }), /Did you mean "limits: \{ turns \}"\?/)
assert.match(given({ temperature: 0 }), /Did you mean "settings: \{ temperature \}"\?/)
assert.match(given({ journal: 'x.db' }), /sqlite\("x\.db"\)/)
assert.match(defined({ execute: () => 1 }), /Did you mean "run"\?/)
assert.match(defined({ inputSchema: {} }), /Did you mean "input"\?/)
assert.match(defined({ parameters: {} }), /Did you mean "input"\?/)
