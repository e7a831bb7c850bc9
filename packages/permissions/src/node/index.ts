export { homeOf } from './home.ts'
export { nodeWorld, type NodeWorldOptions } from './world.ts'
