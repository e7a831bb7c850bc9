import { aiSdk } from './ai-sdk.mjs'
import { aiSdkTool, bareStream } from './ai-sdk-tool.mjs'
import { charCodes, indexOf, jsonParse } from './baselines.mjs'
import { repairAgain, repairStream } from './jsonrepair.mjs'
import { partialJson } from './partial-json.mjs'
import { everyProtocol, onlyHermes, toolglot } from './toolglot.mjs'

export const ours = toolglot('toolglot, hermes', onlyHermes)
export const oursWithAll = toolglot('toolglot, every protocol', everyProtocol)

/** The readers that are measured, in the order of the tables. A peer's package is the part before any comma. */
export const readers = [
  ours,
  oursWithAll,
  aiSdkTool,
  partialJson,
  repairAgain,
  repairStream,
  aiSdk,
  jsonParse,
  charCodes,
  indexOf,
  bareStream,
]
