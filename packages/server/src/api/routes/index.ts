// Every endpoint of the API: one line each.
export { listProtocols } from './protocols.ts'
