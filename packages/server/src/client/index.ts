export { ApiError } from './api-error.ts'
export { type Client, createClient } from './client.ts'
export type { EventsOptions } from './follow-run.ts'
export type { ClientOptions } from './send.ts'
