// offline/index.d.ts
/** A model of fixed rules, for trying things out with no key. */
export { type OfflineOptions, offlineModel } from './offline-model.ts';

// offline/offline-model.d.ts
/**
 * A model without a network: fixed rules that calculate and call tools. It is no language model, and says so.
 *
 * OFFLINE-4. It is deterministic: the same messages, tools and environment give the same reply.
 */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Environment } from '../provider/environment.ts';
/** What `offlineModel()` takes. */
export interface OfflineOptions {
    /** The id under which runs record it; default `rules`. */
    readonly modelId?: string;
    /** Where it looks for the names of keys; default: the environment of the process, read when it answers. */
    readonly env?: () => Environment;
}
/**
 * A model for trying things out with no key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export declare function offlineModel({ modelId, env }?: OfflineOptions): LanguageModelV4;

// provider/environment.d.ts
/** The environment as a port: it is read when a model is asked for, never on import, and not at all where there is none. */
/** Variables by name. */
export type Environment = {
    readonly [name: string]: string | undefined;
};
/** The environment of the process; empty where there is no process. */
export declare function systemEnvironment(): Environment;
/** A variable that says something. */
export declare function settingOf(env: Environment, name: string): string | undefined;
