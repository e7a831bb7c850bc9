// Folder: MCP, as a client and as a server.
export { type HttpOptions, type HttpServer, serveHttp } from './server/http.ts'
export { type McpOptions, mcpServers } from './server/mcp-servers.ts'
export { serveStdio, type StdioOptions } from './server/stdio.ts'
export {
  type McpProblem,
  type McpTools,
  mcpTools,
  type McpToolsOptions,
} from './client/mcp-tools.ts'
export type { McpResult } from './client/result.ts'
export type { McpServer } from './client/connection.ts'
