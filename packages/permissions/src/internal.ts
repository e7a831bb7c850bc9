// Shared with other packages of this repository. Not part of the public interface; it may change
// without notice.
export { type OfferedAlias, aliases } from './alias/aliases.ts'
export { canonicalJson } from './canonical-json.ts'
export { approvalHash } from './decide/approval.ts'
export { findCode } from './decide/code-files.ts'
export {
  checkResolvedCall,
  toolArguments,
  isWrittenOtherwise,
  isServerName,
  isServerTool,
  resolve,
  type Resolved,
} from './decide/call.ts'
export { checksOf } from './decide/checks.ts'
export { decideChecked } from './decide/decide.ts'
export { editDistance, nearest } from './nearest.ts'
export { IGNORE_FILES, guardedPaths } from './path/protected.ts'
export { readPathPattern } from './path/pattern.ts'
export { notPublic, isLocalName, canonicalAddress } from './web/address.ts'
export { type HostLookup, judgeHop, judgePage, type JudgePage, MAX_HOPS } from './web/hop.ts'
export { readUrl } from './web/url.ts'
export { isStricter } from './rule/mode.ts'
export { suggestedRules } from './rule/suggest-for-each.ts'
