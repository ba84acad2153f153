/** The numbers that the original Python project fixes. Times are milliseconds. */

/** Defaults of the original Python project; the mapping page says which of them are in force. */
export const defaults = {
  maxIterations: 50,
  childMaxIterations: 10,
  maxConcurrency: 10,
  toolTimeout: 120_000,
  outputLimit: 10_000,
  loopWindow: 5,
  retry: { attempts: 3, delay: 1_000, factor: 2, cap: 60_000 },
  circuitBreaker: { failureRate: 0.5, openFor: 60_000 },
  requestsPerMinute: 60,
  contextWindow: 200_000,
  compression: { trigger: 0.92, warning: 0.8, target: 0.75, sectionTokens: 512 },
  aggressiveCompression: { trigger: 0.8, target: 0.5, sectionTokens: 256 },
  exportInterval: 60_000,
  backupInterval: 300_000,
  ports: { api: 8000, metrics: 9091 },
} as const
