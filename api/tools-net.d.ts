// net.d.ts
/** Requests to addresses that are judged first: what other packages of Loom send them with. It is no part of the public API and may change with any release. */
export type { Outgoing } from './net/outgoing.ts';
export { createReach, type Reach, type ReachOptions, type ResolveHost } from './net/reach.ts';
export { type ReplyHead, sendRequest } from './net/send-request.ts';
export { canonicalUrl, type Target } from './net/target.ts';

// net/outgoing.d.ts
/** A request to addresses that were judged before. */
import type { Target } from './target.ts';
/** A request to one address. */
export interface Outgoing {
    /** The address as it was read. */
    readonly target: Target;
    /** Where to connect to: IP addresses that may be reached. */
    readonly addresses: readonly string[];
    /** Such as `POST`. */
    readonly method: string;
    /** The headers, with the length of the body. */
    readonly headers: Readonly<Record<string, string>>;
    /** The bytes that are sent. */
    readonly body?: Uint8Array | undefined;
    /** Bytes that the headers of the reply may have. */
    readonly maxHeaderBytes: number;
    /** Certificates of the authorities that are trusted; default: those that come with Node. */
    readonly ca?: readonly string[] | undefined;
    /** Ends the request. */
    readonly signal: AbortSignal;
    /** Called when the request is about to leave: from then on it may have been carried out. */
    readonly onSent: () => void;
}

// net/reach.d.ts
import { type Target } from './target.ts';
/** Looks up the addresses of a host. */
export type ResolveHost = (host: string, options: {
    readonly signal: AbortSignal;
}) => readonly string[] | Promise<readonly string[]>;
/** Where requests may go. */
export interface ReachOptions {
    /** Hosts of this machine or its networks that may be reached, as `host` or `host:port`; without a port, 80 and 443. Default: none. */
    readonly allow?: readonly string[];
    /** The only hosts that may be reached, as patterns (`example.com`, `*.example.com`, `**.example.com`); default: all public ones. */
    readonly hosts?: readonly string[];
    /** Ports that may be used; default 80 and 443. A port in `allow` may be used for its host. */
    readonly ports?: readonly number[];
    /** Ports of this program's own servers: they are refused on all addresses of this machine. A function is called for each request. */
    readonly ownPorts?: readonly number[] | (() => readonly number[]);
    /** Looks up hosts; default: as the operating system does. */
    readonly resolve?: ResolveHost;
}
/** A host that is allowed by its name, and its ports. */
export interface AllowedHost {
    readonly host: string;
    readonly ports: readonly number[];
}
/** What a request may reach, ready to be asked. */
export interface Reach {
    /** The addresses of a target that may be connected to. Throws where it may not be reached. */
    addressesOf(target: Target, signal: AbortSignal): Promise<readonly string[]>;
}
/** Makes the rules ready. */
export declare function createReach({ allow, hosts, ports, ownPorts, resolve }: ReachOptions): Reach;
/** The host that an entry of `allow` names; undefined where it names none. */
export declare function allowedHost(entry: string): AllowedHost | undefined;

// net/send-request.d.ts
import type { Outgoing } from './outgoing.ts';
/** How a request was replied to. */
export interface ReplyHead {
    /** The status; 0 where there was none. */
    readonly status: number;
    /** The headers, by their names in small letters. */
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}
/** Sends a request, and returns how it was replied to. The body of the reply is not read. */
export declare function sendRequest(outgoing: Outgoing): Promise<ReplyHead>;

// net/target.d.ts
/** An address in its one form. */
export interface Target {
    /** The whole address without the fragment. */
    readonly url: string;
    /** `http:` or `https:`. */
    readonly protocol: 'http:' | 'https:';
    /** The host in lower case: a name, an IPv4 address, or an IPv6 address without brackets. */
    readonly host: string;
    /** The port, also where it is the default of the protocol. */
    readonly port: number;
    /** Protocol, host and port as the web names them, such as `https://example.com`. */
    readonly origin: string;
    /** The path and the query. */
    readonly path: string;
}
/**
 * Reads an address. Throws a refusal that says how to write it.
 *
 * @example
 * canonicalUrl('HTTPS://Example.com:443/a?b#c').url   // 'https://example.com/a?b'
 */
export declare function canonicalUrl(text: string): Target;
/** Whether a host is an address, not a name. */
export declare const isAddress: (host: string) => boolean;
/** The host of an address in its one form, for rules of permissions; undefined where the address would be refused. */
export declare function hostOfUrl(text: string): string | undefined;
/**
 * Whether a host matches a pattern: `example.com` is that host alone, `*.example.com` the hosts one label below it, `**.example.com` all hosts below it.
 *
 * @example
 * matchesHost('**.example.com', 'api.example.com')      // true
 * matchesHost('**.example.com', 'example.com.evil.net') // false
 */
export declare function matchesHost(pattern: string, host: string): boolean;
