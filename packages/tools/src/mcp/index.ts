export { type HttpOptions, type HttpServer, serveHttp } from './http.ts'
export { type McpOptions, mcpServers } from './serve.ts'
export { serveStdio, type StdioOptions } from './stdio.ts'
export {
  type McpProblem,
  type McpTools,
  mcpTools,
  type McpToolsOptions,
} from './foreign/mcp-tools.ts'
export type { McpResult } from './foreign/result.ts'
export type { McpServer } from './foreign/server-settings.ts'
