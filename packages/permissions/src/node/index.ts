export { homeDirectory } from './home.ts'
export { nodeFileSystem, type NodeFileSystemOptions } from './file-system.ts'
