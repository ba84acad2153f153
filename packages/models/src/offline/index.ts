/** The offline model: rules instead of a language model, for trying Loom without a key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts'
