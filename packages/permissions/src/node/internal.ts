// Shared with other packages of this repository. Not part of the public interface; it may change
// without notice.
export { hasPlainSettings } from './obeyed-files.ts'
export {
  openRegularFile,
  readBytes,
  readRegularFile,
  readSmallFile,
  readTextFile,
} from './read-file.ts'
