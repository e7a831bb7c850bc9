// Every endpoint of the API: one line each.
export { listFolders } from './folders.ts'
export { listMcpServers, restartMcpServers } from './mcp.ts'
export { listProtocols } from './protocols.ts'
export { listTools } from './tools.ts'
export { showStatus } from './status.ts'
