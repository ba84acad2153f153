/** Loom's own tools. */
export { type CommandJudgement, type CommandRules, judgeCommand } from './command/judge.ts'
export { onlyReads, suggestedPattern } from './command/only-reads.ts'
export type { PathRequest } from './command/parse.ts'
export { type CommandPattern, commandPattern, matchesCommand, warningFor } from './command/pattern.ts'
export { type CommandRequest, type CommandRequests, requestsOf } from './command/requests.ts'
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts'
