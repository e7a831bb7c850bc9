// Folder: Node only: reading settings files and the file system.
export { homeDirectory } from './home.ts'
export { nodeFileSystem, type NodeFileSystemOptions } from './file-system.ts'
