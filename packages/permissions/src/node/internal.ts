// Shared with the other packages of this repository. Not part of the public interface: it changes without notice.
export { decodeUtf8, readRegularFile } from './read-file.ts'
export { readSmallFile } from './small-file.ts'
