export { type HttpOptions, type HttpServer, serveHttp } from './http.ts'
export { type McpOptions, mcpServers } from './serve.ts'
export { serveStdio, type StdioOptions } from './stdio.ts'
