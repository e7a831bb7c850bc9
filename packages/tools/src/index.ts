export {
  type Change,
  type Checkpoints,
  createCheckpoints,
  type UndoReport,
} from './checkpoint/checkpoints.ts'
export type { Entry as CheckpointEntry } from './checkpoint/log.ts'
export type { Undone } from './checkpoint/undo.ts'
export type { Image, ReadResult } from './file/read-result.ts'
export { forgetShown } from './file/records.ts'
export type {
  Entry,
  FileFacts,
  Files,
  LockOptions,
  OpenFile,
  Reach,
  RemoveOptions,
  Replaced,
  ReplaceOptions,
} from './host/files.ts'
export type { Host } from './host/host.ts'
export { nodeFiles } from './node/files.ts'
export { type EditArguments, type EditResult, editTool } from './tools/edit.ts'
export { type ReadArguments, readTool } from './tools/read.ts'
export { type WriteArguments, type WriteResult, writeTool } from './tools/write.ts'
