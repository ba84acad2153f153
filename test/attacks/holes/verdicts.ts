/** Holes in what decides whether a call runs: verdicts, approvals, and running again. */
import type { Hole } from './hole.ts'

const admission = 'test/attacks/admission.test.ts'
const approvals = 'test/attacks/approvals.test.ts'
const takeover = 'test/attacks/takeover.test.ts'

export const verdicts: readonly Hole[] = [
  {
    what: 'a call is judged when it is proposed, and not when it is admitted',
    file: 'agent/src/call/runner.ts',
    passage: 'if (!job.isConditional) return run()',
    instead: 'if (job) return run()',
    foundBy: admission,
  },
  {
    what: 'calls are admitted side by side',
    file: 'agent/src/call/judge-call.ts',
    passage: '(admissions.last ?? Promise.resolve())',
    instead: 'Promise.resolve()',
    foundBy: admission,
  },
  {
    what: 'rules do not see the calls of children',
    file: 'agent/src/call/run-calls.ts',
    passage: 'if (child.turn >= firstTurn) yield*',
    instead: 'if (child.turn < 0) yield*',
    foundBy: admission,
  },
  {
    what: 'rules do not see what children did before another process took over',
    file: 'agent/src/call/run-calls.ts',
    passage: 'let isLoaded = !isUnderWay(start)',
    instead: 'let isLoaded = true',
    foundBy: admission,
  },
  {
    what: 'rules see the arguments before the schema',
    file: 'agent/src/call/run-calls.ts',
    passage: '? {} : { judged }',
    instead: '? {} : {}',
    foundBy: admission,
  },
  {
    what: 'a start in the journal is a permission',
    file: 'agent/src/call/authorize.ts',
    passage: "start !== undefined && epoch === work.outbox.frame.epoch && state !== 'cleared'",
    instead: 'start !== undefined',
    foundBy: takeover,
  },
  {
    what: 'a call that was checked runs again without a verdict',
    file: 'agent/src/call/lost-body.ts',
    passage: 'const refusal = await judge(job, work)',
    instead: 'const refusal = await (judge, undefined)',
    foundBy: takeover,
  },
  {
    what: 'a begun call that is refused looks as if it had not happened',
    file: 'agent/src/call/judge-call.ts',
    passage: "if (!call.start) return [{ type: 'tool.denied'",
    instead: "if (call) return [{ type: 'tool.denied'",
    foundBy: takeover,
  },
  {
    what: 'a begun call that a human rejects looks as if it had not happened',
    file: 'kernel/src/decide-calls.ts',
    passage: "if (start && given?.kind === 'approval')",
    instead: "if (!start && given?.kind === 'approval')",
    foundBy: takeover,
  },
  {
    what: 'an answer to a hook holds for any arguments',
    file: 'agent/src/hook/pass.ts',
    passage: 'bind ? `/$' + '{bind(subject)}` : ' + "''",
    instead: "''",
    foundBy: approvals,
  },
  {
    what: 'hooks share the arguments that they look at',
    file: 'agent/src/hook/pass.ts',
    passage: 'bind ? (toJson(subject) as JsonObject) : subject',
    instead: 'subject',
    foundBy: approvals,
  },
  {
    what: 'edited arguments pass no hook',
    file: 'agent/src/call/runner.ts',
    passage: " || answer.answer.kind === 'edit'",
    instead: '',
    foundBy: approvals,
  },
  {
    what: 'a child answers the questions of its ancestors',
    file: 'agent/src/run/consult-resolvers.ts',
    passage: 'if (above === 0 || request.options.onQuestion) return [resolver]',
    instead: 'if (above >= 0 || request.options.onQuestion) return [resolver]',
    foundBy: approvals,
  },
  {
    what: 'whether an answer is late is a matter of the clock of its process',
    file: 'agent/src/run/answer-question.ts',
    passage: 'return Math.max(head.times.now, now)',
    instead: 'return now',
    foundBy: approvals,
  },
  {
    what: 'another spelling is another person',
    file: 'agent/src/question/approver.ts',
    passage: "return folded.replace(/\\s+/gu, ' ').trim()",
    instead: "return folded === '' ? '' : name",
    foundBy: approvals,
  },
  {
    what: 'what a child approved holds for its parent',
    file: 'agent/src/permission/judge.ts',
    passage: 'if (level === 0) return ruling',
    instead: 'if (level >= 0) return ruling',
    foundBy: approvals,
  },
  {
    what: 'the children of the past of a fork have spent nothing',
    file: 'agent/src/call/run-calls.ts',
    passage: 'fork ? await reading.sharedChildrenOf(of) : []',
    instead: 'fork ? [] : []',
    foundBy: admission,
  },
  {
    what: 'an approval holds for another version of a tool',
    file: 'agent/src/call/tool-identity.ts',
    passage: '...(version !== undefined && { version })',
    instead: '...(version === null && { version })',
    foundBy: approvals,
  },
]
