// Shared with the other packages of this repository, on Node only. Not a public API: it may change
// without notice.
export { bodyOf, headersOf } from './patient-fetch.ts'
export { unloadGguf } from './gguf/gguf-model.ts'
export { makeFolder, stateFolder } from './state-folder.ts'
