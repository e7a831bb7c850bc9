export { nodeWorld, type NodeWorldOptions } from './world.ts'
