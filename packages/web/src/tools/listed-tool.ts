import type { ApiAnswer } from '@toolglot/server/client'

/** A tool as the server lists it. */
export type ListedTool = ApiAnswer<'GET /api/tools'>['tools'][number]
/** An MCP server as the server lists it. */
export type ListedServer = ApiAnswer<'GET /api/mcp'>['servers'][number]
