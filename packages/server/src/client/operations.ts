/** How operations are sent. Made from the table of routes by `tools/write-client.ts`; a test compares the two. */
import type { Changing } from './changing.ts'
import type { Reading } from './reading.ts'
import type { Scheduling } from './scheduling.ts'
import type { ThreadReading } from './thread-reading.ts'

/** What each operation takes and returns. */
export interface Operations extends Reading, ThreadReading, Changing, Scheduling {}

/** How an operation is sent, and what comes back. */
export interface Operation {
  /** The method. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, with names in braces. */
  readonly path: string
  /** What comes back. */
  readonly kind: 'json' | 'text' | 'bytes' | 'stream'
  /** Where the second argument goes. */
  readonly given: 'query' | 'body' | 'lines' | undefined
}

/** How each operation is sent. */
export const operations: { readonly [Name in keyof Operations]: Operation } = {
  getHealth: { method: 'GET', path: '/health', kind: 'json', given: undefined },
  getInfo: { method: 'GET', path: '/info', kind: 'json', given: undefined },
  openSession: { method: 'POST', path: '/session', kind: 'json', given: 'body' },
  endSession: { method: 'DELETE', path: '/session', kind: 'json', given: undefined },
  getSystem: { method: 'GET', path: '/system', kind: 'json', given: undefined },
  listAgents: { method: 'GET', path: '/agents', kind: 'json', given: undefined },
  getAgent: { method: 'GET', path: '/agents/{agent}', kind: 'json', given: undefined },
  tryTool: { method: 'POST', path: '/agents/{agent}/tools/{tool}/tries', kind: 'json', given: 'body' },
  startRun: { method: 'POST', path: '/agents/{agent}/runs', kind: 'json', given: 'body' },
  runToRest: { method: 'POST', path: '/agents/{agent}/results', kind: 'json', given: 'body' },
  listThreads: { method: 'GET', path: '/threads', kind: 'json', given: 'query' },
  getThread: { method: 'GET', path: '/threads/{thread}', kind: 'json', given: undefined },
  removeThread: { method: 'DELETE', path: '/threads/{thread}', kind: 'json', given: undefined },
  labelThread: { method: 'PUT', path: '/threads/{thread}/labels', kind: 'json', given: 'body' },
  steerThread: { method: 'POST', path: '/threads/{thread}/steer', kind: 'json', given: 'body' },
  pauseThread: { method: 'POST', path: '/threads/{thread}/pause', kind: 'json', given: undefined },
  resumeThread: { method: 'POST', path: '/threads/{thread}/resume', kind: 'json', given: undefined },
  stopThread: { method: 'POST', path: '/threads/{thread}/stop', kind: 'json', given: 'body' },
  compactThread: { method: 'POST', path: '/threads/{thread}/compact', kind: 'json', given: undefined },
  signalThread: { method: 'POST', path: '/threads/{thread}/signals/{signal}', kind: 'json', given: 'body' },
  adoptThread: { method: 'POST', path: '/threads/{thread}/adopt', kind: 'json', given: 'body' },
  forkThread: { method: 'POST', path: '/threads/{thread}/forks', kind: 'json', given: 'body' },
  planFork: { method: 'POST', path: '/threads/{thread}/fork-plans', kind: 'json', given: 'body' },
  rewindThread: { method: 'POST', path: '/threads/{thread}/rewinds', kind: 'json', given: 'body' },
  planRewind: { method: 'POST', path: '/threads/{thread}/rewind-plans', kind: 'json', given: 'body' },
  getBreakpoints: { method: 'GET', path: '/threads/{thread}/breakpoints', kind: 'json', given: undefined },
  setBreakpoints: { method: 'PUT', path: '/threads/{thread}/breakpoints', kind: 'json', given: 'body' },
  stepThread: { method: 'POST', path: '/threads/{thread}/steps', kind: 'json', given: 'body' },
  listQuestions: { method: 'GET', path: '/questions', kind: 'json', given: 'query' },
  answerQuestion: { method: 'POST', path: '/questions/{question}/answer', kind: 'json', given: 'body' },
  listEvents: { method: 'GET', path: '/threads/{thread}/events', kind: 'json', given: 'query' },
  listEventHeaders: { method: 'GET', path: '/threads/{thread}/headers', kind: 'json', given: 'query' },
  getEvent: { method: 'GET', path: '/threads/{thread}/events/{seq}', kind: 'json', given: undefined },
  getBlob: { method: 'GET', path: '/threads/{thread}/blobs/{hash}', kind: 'bytes', given: undefined },
  getPayload: { method: 'GET', path: '/threads/{thread}/events/{seq}/payload', kind: 'json', given: 'query' },
  getSkeleton: { method: 'GET', path: '/threads/{thread}/skeleton', kind: 'json', given: 'query' },
  getOverview: { method: 'GET', path: '/threads/{thread}/overview', kind: 'json', given: 'query' },
  getCosts: { method: 'GET', path: '/threads/{thread}/costs', kind: 'json', given: 'query' },
  getChat: { method: 'GET', path: '/threads/{thread}/chat', kind: 'json', given: 'query' },
  getToolChain: { method: 'GET', path: '/threads/{thread}/tools', kind: 'json', given: 'query' },
  getContextMatrix: { method: 'GET', path: '/threads/{thread}/context', kind: 'json', given: 'query' },
  getRunMetrics: { method: 'GET', path: '/threads/{thread}/metrics', kind: 'json', given: 'query' },
  getFileChanges: { method: 'GET', path: '/threads/{thread}/changes', kind: 'json', given: 'query' },
  exportThread: { method: 'GET', path: '/threads/{thread}/export', kind: 'json', given: 'query' },
  getFrame: { method: 'GET', path: '/threads/{thread}/frame', kind: 'json', given: 'query' },
  getDifference: { method: 'GET', path: '/threads/{thread}/diff', kind: 'json', given: 'query' },
  listTurns: { method: 'GET', path: '/threads/{thread}/turns', kind: 'json', given: undefined },
  getRequest: { method: 'GET', path: '/threads/{thread}/request', kind: 'json', given: 'query' },
  getExplanation: { method: 'GET', path: '/threads/{thread}/explanation', kind: 'json', given: 'query' },
  getPresence: { method: 'GET', path: '/threads/{thread}/presence', kind: 'json', given: 'query' },
  searchThread: { method: 'GET', path: '/threads/{thread}/search', kind: 'json', given: 'query' },
  replayThread: { method: 'POST', path: '/threads/{thread}/replays', kind: 'json', given: 'body' },
  compareThreads: { method: 'GET', path: '/comparison', kind: 'json', given: 'query' },
  exportWholeThread: { method: 'GET', path: '/threads/{thread}/lines', kind: 'bytes', given: undefined },
  importThread: { method: 'POST', path: '/imports', kind: 'json', given: 'lines' },
  getMetrics: { method: 'GET', path: '/metrics', kind: 'json', given: 'query' },
  getPrometheus: { method: 'GET', path: '/metrics/prometheus', kind: 'text', given: 'query' },
  getMetricsSeries: { method: 'GET', path: '/metrics/series', kind: 'json', given: 'query' },
  streamThread: { method: 'GET', path: '/threads/{thread}/stream', kind: 'stream', given: 'query' },
  streamTopics: { method: 'GET', path: '/stream', kind: 'stream', given: 'query' },
  listSchedules: { method: 'GET', path: '/schedules', kind: 'json', given: undefined },
  getSchedule: { method: 'GET', path: '/schedules/{schedule}', kind: 'json', given: 'query' },
  setSchedule: { method: 'PUT', path: '/schedules/{schedule}', kind: 'json', given: 'body' },
  removeSchedule: { method: 'DELETE', path: '/schedules/{schedule}', kind: 'json', given: undefined },
  pauseSchedule: { method: 'POST', path: '/schedules/{schedule}/pause', kind: 'json', given: undefined },
  resumeSchedule: { method: 'POST', path: '/schedules/{schedule}/resume', kind: 'json', given: undefined },
  takeDelivery: { method: 'POST', path: '/hooks/{hook}', kind: 'json', given: undefined },
  listWebhooks: { method: 'GET', path: '/webhooks', kind: 'json', given: undefined },
}
