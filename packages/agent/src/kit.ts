/** What the other packages of Loom build on. No part of the public API: it may change with any release. */
export { requestFor } from './model/adapt.ts'
export { modelId } from './model/model.ts'
export { mixedProvider } from './model/vendor.ts'
export { checkOptions, nearest } from './platform/options.ts'
export { notify } from './resilience/notify.ts'
export { checkNumbers } from './resilience/number-option.ts'
export { mayRecover } from './resilience/recoverable.ts'
export { abortedBy } from './resilience/sleep.ts'
