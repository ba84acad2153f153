/** The Model Context Protocol: servers as tools of agents, and agents and tools as a server. */
export type { McpDefinition } from './mcp/definition.ts'
export type { McpPrompt, McpResource } from './mcp/listed.ts'
export { type Mcp, mcp } from './mcp/mcp.ts'
export type { McpAddress, McpAuth, McpNotice, McpOptions, McpProgram, McpServer, McpServerBase } from './mcp/options.ts'
export { type McpNodeRequest, type McpNodeResponse, type McpServed, serveMcp } from './mcp-server/serve-mcp.ts'
export type { McpCaller, ServeMcpOptions } from './mcp-server/serve-options.ts'
