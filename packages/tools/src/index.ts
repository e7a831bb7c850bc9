export type { Host } from './host/host.ts'
