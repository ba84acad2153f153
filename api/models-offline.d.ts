// offline/index.d.ts
/** The offline model: rules instead of a language model, for trying Loom without a key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts';

// offline/offline-model.d.ts
/**
 * A model without a network and without a mind: fixed rules that read plain requests and call tools. It says so itself.
 *
 * 1. It is deterministic: no clock, no chance, no memory. The same messages and tools give the same reply.
 * 2. It never makes up an argument, and begins nothing that it does not understand to its end.
 */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
/** What `offlineModel()` takes. */
export interface OfflineOptions {
    /** The id under which runs record it; default `rules`. */
    readonly modelId?: string;
    /** How many characters of a tool's result an answer shows; default 2,000. */
    readonly shown?: number;
}
/**
 * A model for trying things out with no key: rule-based, English and Chinese, real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt and write a summary to summary.md')
 */
export declare function offlineModel(options?: OfflineOptions): LanguageModelV4;
