/** A model of fixed rules, for trying Loom without a key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts'
