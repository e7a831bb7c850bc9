export type { Route } from './route.ts'
