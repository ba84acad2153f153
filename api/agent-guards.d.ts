// guard/built-in/check-code.d.ts
/** What is suspicious about code that a model wrote. A list of findings is a warning: what holds is the sandbox in which the code runs. */
/** Something in code that people should look at. */
export interface CodeFinding {
    /** What it may do, in one phrase. */
    readonly what: string;
    /** The line, from 1. */
    readonly line: number;
    /** The text that was found. */
    readonly text: string;
}
/**
 * What is suspicious about code that a model wrote, in JavaScript or Python. It warns and decides nothing: code that finds another way is not found, so run it
 * in a sandbox.
 *
 * @example
 * checkCode("await fetch('https://example.com')")   // [{ what: 'uses the network', line: 1, text: 'fetch(' }]
 */
export declare function checkCode(source: string): readonly CodeFinding[];

// guard/built-in/detector.d.ts
/**
 * Detectors: what finds personal data of one kind in a text, and what stands in its place.
 *
 * DETECT-1. Detectors are asked from left to right: the item that begins first counts, of several the longest, and the next one is looked for behind it. So
 *     what is found in a text does not depend on where the text was cut into pieces.
 * DETECT-2. A text that comes in pieces is held back from where an item may have begun, and no further than the longest item.
 */
/** Where something is in a text. */
export interface FoundItem {
    /** The index of its first character. */
    readonly start: number;
    /** The index behind its last character. */
    readonly end: number;
}
/** Finds personal data of one kind. */
export interface Detector {
    /** What it finds, in one word: it stands in the mark. */
    readonly name: string;
    /** The first item that begins at an index or behind it. It may depend on the item, and on one character before and one behind it. */
    readonly find: (text: string, from: number) => FoundItem | undefined;
    /** Whether an item may have this character. */
    readonly mayHave: (character: string) => boolean;
    /** Characters that an item has at most. */
    readonly longest: number;
}
/** What stands in place of an item. */
export type MarkOf = (item: string, detector: Detector) => string;
/** A text with marks in place of what detectors find. */
export declare function maskText(detectors: readonly Detector[], text: string, markOf: MarkOf): string;
/** A mask for a text that comes in pieces. */
export interface MaskStream {
    /** Takes a piece; returns what can be shown now. */
    push(piece: string): string;
    /** The text has ended; returns the rest. */
    end(): string;
}
/** A mask for a text that comes in pieces: what comes out is what masking the whole text gives. */
export declare function createMaskStream(detectors: readonly Detector[], markOf: MarkOf): MaskStream;

// guard/built-in/detectors.d.ts
import type { Detector } from './detector.ts';
/** Addresses of mail. */
export declare const email: Detector;
/** Phone numbers: with a +, Chinese mobile numbers, and American ones with separators. */
export declare const phone: Detector;
/** Addresses of the internet, of both versions. A full stop behind one that ends a sentence is no part of it. */
export declare const ip: Detector;
/** Detectors of cards, bank accounts, Chinese ids, mail, addresses of the internet, and phones. */
export declare const allDetectors: readonly Detector[];

// guard/built-in/injection-guard.d.ts
import type { Guard } from '../guard.ts';
/**
 * Warns, in the records of results and inputs, of texts that read like instructions to the model. Warnings decide nothing.
 *
 * @example
 * agent({ model, tools, guards: [injectionGuard()] })
 */
export declare function injectionGuard(): Guard;

// guard/built-in/pii-guard.d.ts
import type { Guard } from '../guard.ts';
import { type Detector } from './detector.ts';
/** What is taken out, and how. */
export interface PiiOptions {
    /** What finds personal data; default `allDetectors`: cards, bank accounts, Chinese ids, mail, addresses of the internet, phones. */
    readonly detectors?: readonly Detector[];
    /** Numbers the marks, so that `restore` can put the items back, in this process; default false. */
    readonly reversible?: boolean;
}
/** The guard, and what puts items back. */
export interface PiiGuard extends Guard {
    /** A text with the items in place of their marks, where the guard is reversible: for tools and programs that need them. */
    readonly restore: (thread: string, text: string) => string;
}
/**
 * Takes personal data out of inputs, results and replies before they are stored: `[email]` stands in place of an address.
 *
 * @example
 * agent({ model, tools, guards: [piiGuard()] })
 */
export declare function piiGuard(options?: PiiOptions): PiiGuard;

// guard/built-in/secrets-guard.d.ts
import type { Guard } from '../guard.ts';
/**
 * Takes secrets out of inputs, results and replies before they are stored: `[redacted]` stands in place of a key, a token, a password under its name. The
 * rules are those by which errors are redacted.
 *
 * @example
 * agent({ model, tools, guards: [secretsGuard()] })
 */
export declare function secretsGuard(): Guard;

// guard/guard.d.ts
/** Guards: code that looks at what comes in and what goes out, before it is stored. */
import { type Expected } from '../platform/expected.ts';
/** What a guard says of a text: another text, that it may not pass, that a person decides, or a warning; nothing lets it pass. */
export type GuardVerdict = {
    /** Stands in place of the text, everywhere. */
    readonly rewrite: string;
} | {
    /** Why the text may not pass. */
    readonly block: string;
} | {
    /** What a person is asked. */
    readonly ask: string;
} | {
    /** What people should know; the text passes. */
    readonly warn: string;
} | undefined | void;
/** Where a text stands. */
export interface GuardedPlace {
    /** The id of the thread. */
    readonly thread: string;
    /** Whether it is an input, the result of a call, or what the model writes. */
    readonly at: 'input' | 'result' | 'output';
    /** The tool whose result it is. */
    readonly tool?: string;
    /** The step of its body that came to it. */
    readonly step?: string;
    /** The name under which it stands in a result that is JSON. */
    readonly name?: string;
}
/** Looks at what the model writes while it is written. */
export interface GuardStream {
    /** Takes a piece; returns what can be shown now, or why the reply is blocked. */
    push(piece: string): string | {
        readonly block: string;
    };
    /** The text has ended; returns the rest. */
    end(): string | {
        readonly block: string;
    };
}
/** Looks at a text. */
export type LookAt = (text: string, place: GuardedPlace) => GuardVerdict | Promise<GuardVerdict>;
/** A guard: any of the four methods. The guards of an agent are asked in order, and each sees what those before it have left. */
export interface Guard {
    /** Its name in records and messages. */
    readonly name: string;
    /** Looks at what users and other programs say, before it is stored. */
    readonly input?: LookAt;
    /** Looks at the result of a call, before it is stored; at each text of one that is JSON. */
    readonly result?: LookAt;
    /** Looks at a whole text of the model, before it is shown and stored. */
    readonly output?: LookAt;
    /** Looks at it in pieces instead, so that less is held back. */
    readonly stream?: (place: GuardedPlace) => GuardStream;
    /** What happens when the guard throws or does not answer in time: `block` (default), or `pass`. */
    readonly onError?: 'block' | 'pass';
}
/** What a guard said of a text, as it is recorded. */
export type GuardNote = {
    /** The name of the guard. */
    readonly guard: string;
    /** What it said. */
    readonly verdict: 'rewrite' | 'block' | 'ask' | 'warn';
    /** Why, in its words. */
    readonly reason?: string;
};
/** What stands in place of a text that a guard has blocked. */
export declare const withheldText: (guard: string, reason: string) => string;
/** What the guards of an agent must be. */
export declare const guardsShape: Expected;

// guards.d.ts
/** The guards that come with Loom. An entry of its own: a program without them does not load their rules. */
export { type CodeFinding, checkCode } from './guard/built-in/check-code.ts';
export type { Detector, FoundItem } from './guard/built-in/detector.ts';
export { allDetectors } from './guard/built-in/detectors.ts';
export { injectionGuard } from './guard/built-in/injection-guard.ts';
export { type PiiGuard, type PiiOptions, piiGuard } from './guard/built-in/pii-guard.ts';
export { secretsGuard } from './guard/built-in/secrets-guard.ts';

// platform/expected.d.ts
/**
 * Options are checked when they are given, against a table of what each of them must be.
 *
 * OPTION-1. An unknown name is refused with the nearest known one; a value that does not fit is refused with what it is and what is expected.
 * OPTION-3. Of an object a refusal names the fields, never their values: they may be secrets.
 */
import { type LoomErrorCode } from '@loom-agent/kernel';
/** What the value of an option must be. */
export interface Expected {
    /** Its description, as it follows "Give". */
    readonly words: string;
    /** Whether a value is one. */
    readonly fits: (value: unknown) => boolean;
    /** Set when the option may not be left out. */
    readonly required?: boolean;
    /** The options that the value has itself. */
    readonly shape?: Shape;
    /** Of a list: what each item must be. */
    readonly item?: Expected;
}
/** What each option must be, by its name. */
export type Shape = Readonly<Record<string, Expected>>;
/** Throws unless the given options have the shape; `what` names them in the message. */
export type CheckOptions = (what: string, given: unknown, shape: Shape) => void;
/** What values of options may be expected to be. */
export interface Expectations extends Readonly<Record<'anything' | 'text' | 'name' | 'flag' | 'function' | 'object' | 'signal' | 'clock' | 'journal', Expected>> {
    /** A number in a range; infinity where there is no largest. */
    number(min?: number, max?: number): Expected;
    /** A number that is not infinite. */
    finite(min: number): Expected;
    /** A whole number. */
    whole(min: number): Expected;
    /** One of some words. */
    oneOf(...words: readonly string[]): Expected;
    /** A list whose items all fit. */
    list(item: Expected, words: string): Expected;
    /** One thing or another. */
    either(one: Expected, other: Expected): Expected;
    /** What may not be left out. */
    required(given: Expected): Expected;
    /** Options inside of options. */
    options(shape: Shape): Expected;
}
/** A list that is longer is none: one with holes may have any length, and each place is looked at. */
export declare const longestList = 1000000;
/** What values of options may be expected to be. */
export declare const expected: Expectations;
/** How a checker advises and fails. */
export interface Checking {
    /** Advice about an unknown name; undefined: the nearest known name. */
    readonly advise?: (name: string, known: readonly string[]) => string | undefined;
    /** The code for a value that does not fit; default `LOOM_OPTION_INVALID`. */
    readonly code?: LoomErrorCode;
    /** The text of a value in messages, where it is no object and no list. */
    readonly show: (value: unknown) => string;
}
/** Makes a function that checks options. */
export declare function optionChecker({ advise, code, show: showPlain }: Checking): CheckOptions;
/** The known word nearest to a word, when it is near enough to be a misspelling. A word that is much longer or shorter is not compared. */
export declare function nearest(word: string, known: readonly string[]): string | undefined;
