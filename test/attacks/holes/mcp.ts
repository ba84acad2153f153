/** Holes in what keeps servers of the Model Context Protocol in their place. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/mcp.test.ts'

export const mcpHoles: readonly Hole[] = [
  {
    what: 'a definition that has changed is not asked about',
    file: 'tools/src/mcp/server-tools.ts',
    passage: "if (before) return { atLeast: 'ask', reason: changeInWords(before, claim) }",
    instead: "if (before && before.name === '') return { atLeast: 'ask', reason: changeInWords(before, claim) }",
    foundBy,
  },
  {
    what: 'the model is shown a definition that nobody has approved',
    file: 'tools/src/mcp/server-tools.ts',
    passage: 'shown: (tool) => changeOf(tool) ?? claims.get(tool),',
    instead: 'shown: (tool) => claims.get(tool) ?? changeOf(tool),',
    foundBy,
  },
  {
    what: 'hidden characters stay in definitions',
    file: 'tools/src/mcp/plain-text.ts',
    passage: '    count += 1\n    return written(character)',
    instead: '    count += 1\n    return character',
    foundBy,
  },
  {
    what: 'hidden characters stay in results',
    file: 'tools/src/mcp/plain-text.ts',
    passage: 'joining.has(character) ? character : written(character)',
    instead: 'joining.has(written(character)) ? written(character) : character',
    foundBy,
  },
  {
    what: 'a tool of another server may look like one that is there',
    file: 'tools/src/mcp/look-alikes.ts',
    passage: 'if (!other) kept.set(look, tool)',
    instead: 'if (!other || other.name === tool.name) kept.set(look, tool)',
    foundBy,
  },
  {
    what: 'a name may have any characters',
    file: 'tools/src/mcp/definition.ts',
    passage: 'if (name.length > most.name || !usable.test(name)) {',
    instead: 'if (name.length > most.name) {',
    foundBy,
  },
  {
    what: 'a schema may be of any size',
    file: 'tools/src/mcp/definition.ts',
    passage: 'if (text.length > most.schema)',
    instead: 'if (text.length < 0)',
    foundBy,
  },
  {
    what: 'the patterns of servers are matched in this process',
    file: 'tools/src/mcp/definition.ts',
    passage: "const patterns = new Set(['pattern', 'patternProperties', 'format'])",
    instead: "const patterns = new Set(['format'])",
    foundBy,
  },
  {
    what: 'the hints of servers are believed',
    file: 'tools/src/mcp/used-server.ts',
    passage: 'verdict: (input) => serverTools.judge(claim.name, input),',
    instead: "verdict: async (input) => (claim.hints.readOnly ? 'allow' : serverTools.judge(claim.name, input)),",
    foundBy,
  },
  {
    what: 'results of any size are recorded',
    file: 'tools/src/mcp/reply.ts',
    passage: "if (length <= mostCharacters) return { kind: 'result', result }",
    instead: "if (length <= 100 * mostCharacters) return { kind: 'result', result }",
    foundBy,
  },
  {
    what: 'a question reaches the call that was opened first, whosever it is',
    file: 'tools/src/mcp/held-calls.ts',
    passage: 'return call && asking.length === 1 ?',
    instead: 'return call && asking.length >= 1 ?',
    foundBy,
  },
  {
    what: 'programs get the variables of this process',
    file: 'tools/src/mcp/stdio-transport.ts',
    passage: 'env: marked(environmentOf({ cwd, env }), mark)',
    instead: 'env: marked({ ...(process.env as Record<string, string>), ...environmentOf({ cwd, env }) }, mark)',
    foundBy,
  },
]
