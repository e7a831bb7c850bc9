export { type ScriptedReply, scriptedModel, type ScriptOptions } from './model/scripted-model.ts'
export { cassette, type CassetteOptions } from './model/cassette/cassette.ts'
export {
  type CassetteStore,
  memoryCassette,
  type RecordedRequest,
  type Recording,
} from './model/cassette/recording.ts'
