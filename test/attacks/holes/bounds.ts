/** Holes in the bounds of replies and of trees. */
import type { Hole } from './hole.ts'

const replies = 'test/attacks/replies.test.ts'
const longTexts = 'test/attacks/long-texts.test.ts'
const summaries = 'test/attacks/summaries.test.ts'
const trees = 'test/attacks/trees.test.ts'
const schemas = 'test/attacks/schemas.test.ts'

export const boundsHoles: readonly Hole[] = [
  {
    what: 'nothing that is counted in a reply has a bound',
    file: 'agent/src/model/reply-meter.ts',
    passage: 'if (meter[counted] > meter.most[bound]) throw',
    instead: 'if (meter[counted] < 0) throw',
    foundBy: replies,
  },
  {
    what: 'names may have any length',
    file: 'agent/src/model/reply-meter.ts',
    passage: "typeof name === 'string' && name.length > meter.most.name",
    instead: "typeof name === 'string' && name.length < 0",
    foundBy: replies,
  },
  {
    what: 'pieces that are passed over are not counted',
    file: 'agent/src/model/take-part.ts',
    passage: "measure(reading.meter, 'pieces', 1)",
    instead: "measure(reading.meter, 'pieces', 0)",
    foundBy: replies,
  },
  {
    what: 'arguments that are streamed are not counted',
    file: 'agent/src/model/take-part.ts',
    passage: "measure(meter, 'streamed', part.delta.length)",
    instead: "measure(meter, 'streamed', 0)",
    foundBy: replies,
  },
  {
    what: 'long arguments are parsed, and measured by what they hold',
    file: 'agent/src/model/take-part.ts',
    passage: 'if (text.length > longestInput) return undefined',
    instead: 'if (text.length < 0) return undefined',
    foundBy: replies,
  },
  {
    what: 'the end of an iterator that was given up is waited for',
    file: 'agent/src/model/read-stream.ts',
    passage: 'take(reading, next.value)\n    }\n  } else unreadable',
    instead: 'try { take(reading, next.value) } catch (error) { await iterator.return?.(); throw error }\n    }\n  } else unreadable',
    foundBy: replies,
  },
  {
    what: 'a reply that is too large is asked for again',
    file: 'agent/src/model/failure.ts',
    passage: "const retryable = thrown.retry !== 'never' && thrown.code",
    instead: 'const retryable = thrown.code',
    foundBy: replies,
  },
  {
    what: 'a decision looks at every open call',
    file: 'kernel/src/open-calls.ts',
    passage: 'count < callWindow',
    instead: 'count < Number.POSITIVE_INFINITY',
    foundBy: replies,
  },
  {
    what: 'text that may become a call is held without a bound',
    file: 'models/src/call/held-text.ts',
    passage: 'if (held <= most) return',
    instead: 'if (held >= 0) return',
    foundBy: replies,
  },
  {
    what: 'a run may start any number of children',
    file: 'agent/src/run/run-child.ts',
    passage: '(mayStartChild(outbox) ? draft : undefined)',
    instead: '(mayStartChild(outbox) || true ? draft : undefined)',
    foundBy: trees,
  },
  {
    what: 'the children of a child do not count for its parent',
    file: 'kernel/src/evolve-call.ts',
    passage: 'run.children += children',
    instead: 'run.children += 0 * children',
    foundBy: trees,
  },
  {
    what: 'a child gets what its agent asks for, whatever its parent has left',
    file: 'agent/src/run/allotment.ts',
    passage: 'Math.min(part ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY)',
    instead: 'most ?? part ?? Number.POSITIVE_INFINITY',
    foundBy: trees,
  },
  {
    what: 'every one of the children that start together gets all that is left',
    file: 'agent/src/run/allotment.ts',
    passage: 'Math.floor(free / parts)',
    instead: 'Math.floor(free / Math.min(1, parts))',
    foundBy: trees,
  },
  {
    what: 'calls beyond the limit of a reply run',
    file: 'agent/src/call/discover.ts',
    passage: 'run.called - run.calls.length + indexOf(call.id) < most',
    instead: 'run.called >= 0',
    foundBy: trees,
  },
  {
    what: 'a summary that is too long is not cancelled',
    file: 'agent/src/model/generate-text.ts',
    passage: '    stop()\n    throw error',
    instead: '    throw error',
    foundBy: summaries,
  },
  {
    what: 'the log of a summary has no bound',
    file: 'agent/src/context/extract.ts',
    passage: 'if (used > perSection) break',
    instead: 'if (used < 0) break',
    foundBy: summaries,
  },
  {
    what: 'every problem of the arguments is named',
    file: 'agent/src/types/schema.ts',
    passage: 'issues.slice(0, most.problems)',
    instead: 'issues',
    foundBy: longTexts,
  },
  {
    what: 'the reason of an end has any length',
    file: 'agent/src/model/take-part.ts',
    passage: '  measureName(meter, reason)\n',
    instead: '',
    foundBy: longTexts,
  },
  {
    what: 'references of a schema are followed without end',
    file: 'agent/src/types/json-check-value.ts',
    passage: '  check.follow()\n',
    instead: '',
    foundBy: schemas,
  },
  {
    what: 'a pattern takes a way through a text that it has taken before',
    file: 'agent/src/types/text-pattern.ts',
    passage: '& bit) !== 0) return false',
    instead: '& bit) === -1) return false',
    foundBy: schemas,
  },
  {
    what: 'a pattern has any number of parts',
    file: 'agent/src/types/text-pattern.ts',
    passage: 'if (program.parts > most.parts) throw',
    instead: 'if (program.parts < 0) throw',
    foundBy: schemas,
  },
  {
    what: 'a list of unique items may have one twice',
    file: 'agent/src/types/json-check-parts.ts',
    passage: '    seen.set(text, index)\n',
    instead: '',
    foundBy: schemas,
  },
  {
    what: 'a value of any number of parts is written out',
    file: 'agent/src/platform/normalize.ts',
    passage: 'if (parts > mostParts) throw',
    instead: 'if (parts < 0) throw',
    foundBy: schemas,
  },
]
