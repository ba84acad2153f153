// offline/offline-model.d.ts
import type { LanguageModelV4 } from '@loom-agent/agent/language-model';
import { type Environment } from '../provider/environment.ts';
/** The options of `offlineModel()`. */
export interface OfflineOptions {
    /** The id under which runs record it; default `rules`. */
    readonly modelId?: string;
    /** The environment variables, or a function that returns them: where it looks for the names of keys; default: those of the process, read for each answer. */
    readonly env?: Environment | (() => Environment);
}
/**
 * A model for trying Loom without a key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export declare function offlineModel(options?: OfflineOptions): LanguageModelV4;

// provider/environment.d.ts
/** The environment as a port: it is read when a model is resolved, never on import. Platforms without one have an empty environment. */
/** Variables by name. */
export type Environment = {
    readonly [name: string]: string | undefined;
};
/** The environment of the process; empty where there is no process. */
export declare function systemEnvironment(): Environment;
/** The value of a variable; undefined when it is not set or blank. */
export declare function settingOf(env: Environment, name: string): string | undefined;
