export { nodeWorld } from './world.ts'
