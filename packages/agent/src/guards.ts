/** The guards that come with Loom. An entry of its own: a program without them does not load their rules. */
export { type CodeFinding, checkCode } from './guard/built-in/check-code.ts'
export type { Detector, FoundItem } from './guard/built-in/detector.ts'
export { allDetectors } from './guard/built-in/detectors.ts'
export { injectionGuard } from './guard/built-in/injection-guard.ts'
export { type PiiGuard, type PiiOptions, piiGuard } from './guard/built-in/pii-guard.ts'
export { secretsGuard } from './guard/built-in/secrets-guard.ts'
