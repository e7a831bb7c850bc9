// Shared with the other packages of this repository, on Node only. This is not a public interface: it may change without notice.
export { bodyOf, headersOf } from './patient-fetch.ts'
export { unloadGguf } from './gguf/gguf-model.ts'
export { makeFolder, stateFolder } from './state-folder.ts'
