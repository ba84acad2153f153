// mcp-server/serve-mcp.d.ts
import { type ServeMcpOptions } from './serve-options.ts';
/** A request of `node:http`, as far as it is read. */
export interface McpNodeRequest extends AsyncIterable<unknown> {
    /** Such as `POST`. */
    readonly method?: string | undefined;
    /** The path that is asked for. */
    readonly url?: string | undefined;
    /** The headers, by their names in small letters. */
    readonly headers: {
        readonly [name: string]: string | string[] | undefined;
    };
}
/** A response of `node:http`, as far as it is written. */
export interface McpNodeResponse {
    /** Writes the status and the headers. */
    writeHead(status: number, headers?: Record<string, string>): unknown;
    /** Writes a part of the body. */
    write(chunk: string | Uint8Array): unknown;
    /** Ends the body. */
    end(chunk?: string | Uint8Array): unknown;
    /** Calls back at an event, such as `close`. */
    on(event: string, listener: (...args: unknown[]) => void): unknown;
}
/** A server, for programs that serve it. */
export interface McpServed {
    /** Serves over the standard input and output of this process; resolves when the client has gone. Nothing else may write to the output. */
    stdio(): Promise<void>;
    /** Serves a request over HTTP. */
    readonly fetch: (request: Request) => Promise<Response>;
    /** Serves a request of `node:http`: `createServer(served.node)`. */
    readonly node: (request: McpNodeRequest, response: McpNodeResponse) => Promise<void>;
    /** Ends what is open over HTTP. Runs go on, and can be asked for under their ids. */
    close(): Promise<void>;
}
/**
 * Serves agents and tools over the Model Context Protocol.
 *
 * @example
 * const served = serveMcp({ name: 'office', agents: { secretary }, tools: { add }, permissions: { add: 'allow' }, journal })
 * await served.stdio()
 */
export declare function serveMcp(options: ServeMcpOptions): McpServed;

// mcp-server/serve-options.d.ts
/** The options of `serveMcp()`, and what they must be. */
import type { Agent, Policy, Tool } from '@loom-agent/agent';
import { type Expected, type Shape } from '@loom-agent/agent/kit';
import type { Journal, Limits } from '@loom-agent/kernel';
/** Who is calling. */
export interface McpCaller {
    /** The id of the caller, as the program has checked it: its calls, threads and answers are its own. */
    readonly by: string;
}
/** What `serveMcp()` takes. */
export interface ServeMcpOptions {
    /** The name of the server. */
    readonly name: string;
    /** Its version; default `1.0.0`. */
    readonly version?: string;
    /** Agents by name: each is a tool that takes a prompt. Their own permissions judge their calls. */
    readonly agents?: {
        readonly [name: string]: Agent;
    };
    /** Tools by name. */
    readonly tools?: {
        readonly [name: string]: Tool;
    };
    /** Which calls of the tools run, ask or are denied. Without it a tool is judged by its own verdict. */
    readonly permissions?: Policy;
    /** Where the runs are kept. */
    readonly journal: Journal;
    /** What a run may use at most. */
    readonly limits?: Limits;
    /** The names of hosts under which it is reached over HTTP, and of origins that may call it; default: those of this machine. */
    readonly hosts?: readonly string[];
    /** Who makes a request over HTTP; `undefined` refuses it. Default: everybody who reaches the server is one caller. */
    readonly authorize?: (request: Request) => McpCaller | undefined | Promise<McpCaller | undefined>;
    /** At least 32 characters with which the state that clients carry is signed, for servers of several processes; default: made for this process. */
    readonly secret?: string;
    /** Calls that are worked on at once; default 32. */
    readonly concurrency?: number;
}
/** What the options must be. */
export declare const serveShape: Shape & Record<keyof ServeMcpOptions, Expected>;

// mcp.d.ts
/** The Model Context Protocol: servers as tools of agents, and agents and tools as a server. */
export type { McpDefinition } from './mcp/definition.ts';
export type { McpPrompt, McpResource } from './mcp/listed.ts';
export { type Mcp, mcp } from './mcp/mcp.ts';
export type { McpAddress, McpAuth, McpNotice, McpOptions, McpProgram, McpServer, McpServerBase } from './mcp/options.ts';
export { type McpNodeRequest, type McpNodeResponse, type McpServed, serveMcp } from './mcp-server/serve-mcp.ts';
export type { McpCaller, ServeMcpOptions } from './mcp-server/serve-options.ts';

// mcp/definition.d.ts
import { type Json, type JsonObject } from '@loom-agent/kernel';
/** What can be used of a definition, and what can be compared. */
export interface ToolText {
    /** The name, as the server has it. */
    readonly name: string;
    /** What the model reads about the tool, with hidden characters written out. */
    readonly description: string;
    /** The schema of its arguments, with hidden characters written out. */
    readonly schema: JsonObject;
}
/** What a server says about a tool, for people who decide about it. Hidden characters are written out. */
export interface McpDefinition {
    /** The name of the server. */
    readonly server: string;
    /** The server's name of the tool. */
    readonly tool: string;
    /** The name by which the model knows it. */
    readonly name: string;
    /** The name by which rules know it. */
    readonly ruleName: string;
    /** What the server says about it. */
    readonly description: string;
    /** The schema of its arguments. */
    readonly schema: JsonObject;
    /** The digest that an approval is bound to. */
    readonly digest: string;
    /** `new`: no call was let through yet; `approved`: it is the one that was; `changed`: it is another one. */
    readonly state: 'new' | 'approved' | 'changed';
    /** Of a changed one: what was approved, and what the model is shown until the other is. */
    readonly approved?: {
        readonly description: string;
        readonly schema: JsonObject;
    };
}
/** A tool of a server. */
export interface ToolClaim extends ToolText {
    /** The digest of the name, the description and the schema as the server sent them. */
    readonly digest: string;
    /** How many hidden characters they have. */
    readonly hidden: number;
    /** The server's hints. */
    readonly hints: {
        readonly readOnly: boolean;
        readonly idempotent: boolean;
    };
    /** Whether the server can run it as a task, and whether it must. */
    readonly tasks: 'never' | 'may' | 'must';
}
/** A tool as a server lists it. */
export interface ListedTool {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: object;
    readonly annotations?: {
        readonly readOnlyHint?: boolean | undefined;
        readonly idempotentHint?: boolean | undefined;
    } | undefined;
    readonly execution?: {
        readonly taskSupport?: string | undefined;
    } | undefined;
}
/** The definition of a listed tool, or why it cannot be used. */
export declare function claimOf(listed: ListedTool): ToolClaim | {
    readonly refused: string;
};
/** JSON with everything hidden in its texts written out. */
export declare function visibleJson(value: Json | undefined, counted?: {
    hidden: number;
}): Json;
/** A schema by which values can be checked: without patterns, which a server could write so that a check never ends. The server checks them itself. */
export declare function checkable(schema: JsonObject): JsonObject;

// mcp/listed.d.ts
/** What servers list besides tools. */
/** A resource of a server, in its own words. */
export interface McpResource {
    /** Its address. */
    readonly uri: string;
    /** Its name. */
    readonly name: string;
    /** What it is. */
    readonly description: string;
    /** Its media type, where the server says it. */
    readonly mediaType?: string;
}
/** A prompt of a server, in its own words. */
export interface McpPrompt {
    /** Its name. */
    readonly name: string;
    /** What it is for. */
    readonly description: string;
    /** Its arguments: their names, and whether they are needed. */
    readonly arguments: readonly {
        readonly name: string;
        readonly description: string;
        readonly required: boolean;
    }[];
}

// mcp/mcp.d.ts
import type { InputPart, Tool, UserMessages } from '@loom-agent/agent';
import type { McpDefinition } from './definition.ts';
import type { McpPrompt, McpResource } from './listed.ts';
import { type McpNotice, type McpOptions } from './options.ts';
/** Servers, as an agent uses them. */
export interface Mcp {
    /** The tools of all servers that can be reached, by the names that the model knows them by: `agent({ tools: servers.tools })`. */
    readonly tools: () => Promise<{
        readonly [name: string]: Tool;
    }>;
    /** What the servers say about their tools, and which of it was approved. */
    definitions(): Promise<readonly McpDefinition[]>;
    /** The resources of a server. */
    resources(server: string): Promise<readonly McpResource[]>;
    /** A resource, as parts of an input. It was written by others. */
    resource(server: string, uri: string): Promise<readonly InputPart[]>;
    /** The prompts of a server. */
    prompts(server: string): Promise<readonly McpPrompt[]>;
    /** A prompt, as an input: `agent.run(await servers.prompt('notes', 'review'))`. */
    prompt(server: string, name: string, args?: {
        readonly [name: string]: string;
    }): Promise<UserMessages>;
    /** What people should know about the servers: the last 1,000 notices. */
    notices(): readonly McpNotice[];
    /** Ends all connections, and the programs with all that they have started. */
    close(): Promise<void>;
}
/**
 * Servers of the Model Context Protocol. They are connected when their tools are asked for.
 *
 * @example
 * const servers = mcp({ servers: { files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'] } }, pins: 'pins' })
 * const helper = agent({ model, tools: servers.tools, permissions: { 'mcp:files/read_*': 'allow' } })
 * await servers.close()
 */
export declare function mcp(options: McpOptions): Mcp;

// mcp/options.d.ts
/** The options of `mcp()`, and what they must be. */
import { type Expected, type Shape } from '@loom-agent/agent/kit';
import type { ArgumentKinds, EffectClass } from '@loom-agent/kernel';
/** Where access tokens come from: a program's own flow of OAuth, or a fixed token. */
export interface McpAuth {
    /** The token that is sent now; `undefined`: none. Asked before each request. */
    token(): string | undefined | Promise<string | undefined>;
    /** Called when the server has refused a request; what `token` returns afterwards is tried once. `challenge` is what the server says about it. */
    unauthorized?(refused: {
        readonly server: string;
        readonly url: string;
        readonly challenge: string | undefined;
    }): void | Promise<void>;
}
/** What is the same for all kinds of servers. */
export interface McpServerBase {
    /** The tools that are used, by the server's names; default: all. */
    readonly tools?: readonly string[];
    /** The effect classes of tools, by the server's names; default: `unsafe`. */
    readonly effects?: {
        readonly [tool: string]: EffectClass;
    };
    /** Which arguments of tools are paths, commands, addresses or hosts, by the server's names: rules can name them, and protected paths ask. */
    readonly kinds?: {
        readonly [tool: string]: ArgumentKinds;
    };
    /** The folder that paths in arguments are relative to; default: the folder of a program, and that of this process for an address. */
    readonly root?: string;
    /** Whether the server's own hints (`readOnlyHint`, `idempotentHint`) count where `effects` says nothing; default false: they are claims of the server. */
    readonly trustHints?: boolean;
    /** Milliseconds that a call may take without any sign of life; default 120,000. */
    readonly timeout?: number;
    /** Milliseconds that starting and connecting may take; default 10,000. */
    readonly connectTimeout?: number;
    /** The protocol: `auto` asks for the newest and falls back to the one of 2025, `2025` does not ask; default `auto`. */
    readonly protocol?: 'auto' | '2025';
}
/** A server that is a program on this machine. */
export interface McpProgram extends McpServerBase {
    /** The program. It is started without a shell. */
    readonly command: string;
    /** Its arguments. */
    readonly args?: readonly string[];
    /** Its folder; default: the folder of this process. */
    readonly cwd?: string;
    /** Variables that it gets besides a few harmless ones, such as `PATH`. It gets no others: keys of this process are not among them. */
    readonly env?: {
        readonly [name: string]: string;
    };
}
/** A server that is reached over HTTP. */
export interface McpAddress extends McpServerBase {
    /** The address of its endpoint. */
    readonly url: string;
    /** Headers of each request. */
    readonly headers?: {
        readonly [name: string]: string;
    };
    /** Where access tokens come from. */
    readonly auth?: McpAuth;
}
/** A server: a program, or an address. */
export type McpServer = McpProgram | McpAddress;
/** Something about a server that a person should know. */
export interface McpNotice {
    /** The name of the server. */
    readonly server: string;
    /** What kind of thing it is. */
    readonly kind: 'tool-refused' | 'definition-changed' | 'definition-hidden' | 'look-alike' | 'mentions' | 'sampling-refused' | 'broken' | 'unavailable';
    /** The tool, by the server's name, where it is about one. */
    readonly tool?: string;
    /** What happened, in words. Hidden characters are written out. */
    readonly message: string;
}
/** What `mcp()` takes. */
export interface McpOptions {
    /** The servers, by the names that rules and the model know them by. */
    readonly servers: {
        readonly [name: string]: McpServer;
    };
    /** The folder that keeps which definitions were approved, outside of the project; default: they are known as long as this process lives. */
    readonly pins?: string;
    /** Called with each notice. */
    readonly onNotice?: (notice: McpNotice) => void;
}
/** What a program must be. */
export declare const programShape: Shape & Record<keyof McpProgram, Expected>;
/** What an address must be. */
export declare const addressShape: Shape & Record<keyof McpAddress, Expected>;
/** What the options must be. */
export declare const mcpShape: Shape & Record<keyof McpOptions, Expected>;
/** Whether a server is a program. */
export declare const isProgram: (server: McpServer) => server is McpProgram;
