export { type ScriptedReply, scriptedModel, type ScriptOptions } from './model/script.ts'
export { cassette, type CassetteOptions } from './model/cassette.ts'
export { memoryCassette } from './model/cassette/memory-store.ts'
export type { RecordedRequest, CassetteStore, Recording } from './model/cassette/tape.ts'
