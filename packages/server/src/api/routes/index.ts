// Every endpoint of the API: one line each.
export { listFolders } from './folders.ts'
export { listProtocols } from './protocols.ts'
export { showStatus } from './status.ts'
