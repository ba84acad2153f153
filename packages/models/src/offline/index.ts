/** A model of fixed rules, for trying things out with no key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts'
