// Every endpoint of the API: one line each.
export { showOpenApi } from './openapi.ts'
export { listProtocols } from './protocols.ts'
