/** The guards that come with Loom. */
export {
  allDetectors,
  type CodeFinding,
  checkCode,
  type Detector,
  type FoundItem,
  injectionGuard,
  type PiiGuard,
  type PiiOptions,
  piiGuard,
  secretsGuard,
} from '@loom-agent/agent/guards'
