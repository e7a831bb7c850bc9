// Every endpoint of the API: one line each.
export { listFolders } from './folders.ts'
export { listMcpServers, restartMcpServers } from './mcp.ts'
export { listProtocols, previewPrompt, showProtocol } from './protocols.ts'
export { parseReply } from './parse.ts'
export { listTools } from './tools.ts'
export { showStatus } from './status.ts'
