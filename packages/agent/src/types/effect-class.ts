/**
 * What each effect class means. Code asks these questions instead of comparing names of classes.
 *
 * | class          | what it is                               | after its performer was lost                |
 * | -------------- | ---------------------------------------- | ------------------------------------------- |
 * | `pure`         | depends on its arguments alone           | runs again                                  |
 * | `read`         | looks at the world and changes nothing   | runs again                                  |
 * | `idempotent`   | with its key, twice is the same as once  | runs again with the same key                |
 * | `reconcilable` | its `check` says whether it has happened | is checked, and runs again if it did not    |
 * | `unsafe`       | anything else                            | is in doubt: people are asked               |
 *
 * The kernel decides what recovery does with a lost call (`decide-calls.ts`), and journals what must be flushed (`flush.ts`): they name classes themselves.
 */
import type { EffectClass } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'

/** The classes that change nothing. */
export const harmlessClasses: readonly EffectClass[] = ['pure', 'read']

/** The classes that may change the world. */
export const changingClasses: readonly EffectClass[] = ['idempotent', 'reconcilable', 'unsafe']

/** What the effect class of a tool, a step or a rule must be. */
export const effectClass: Expected = expected.oneOf(...harmlessClasses, ...changingClasses)

/** Whether it changes nothing: it does not wait for its intent to be durable, and runs beside others. */
export const isHarmless = (effect: EffectClass | undefined): boolean => effect === 'pure' || effect === 'read'

/** Whether it gets a key under which twice is once, or under which it is checked. */
export const isKeyed = (effect: EffectClass): boolean => effect === 'idempotent' || effect === 'reconcilable'

/** Whether its `check` says what a lost run came to. */
export const isChecked = (effect: unknown): boolean => effect === 'reconcilable'
