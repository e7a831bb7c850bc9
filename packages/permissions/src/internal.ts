// Shared with the other packages of this repository. Not part of the public interface: it changes without notice.
export type { OfferedAlias } from './alias/alias.ts'
export { aliases } from './alias/aliases.ts'
export { canonicalJson } from './canonical-json.ts'
export { approvalHash } from './decide/approval.ts'
export { checkResolvedCall, toolArguments } from './decide/call.ts'
export { checksOf } from './decide/checks.ts'
export { decideChecked } from './decide/decide.ts'
export { isWrittenOtherwise } from './decide/trust.ts'
export { isServerName, isServerTool, resolve, type Resolved } from './decide/resolve.ts'
export { editDistance, nearest } from './nearest.ts'
export { IGNORE_FILES } from './path/ignore-files.ts'
export { readPathPattern } from './path/pattern.ts'
export { guardedPaths } from './path/protected.ts'
export { notPublic, isLocalName, canonicalAddress } from './web/address.ts'
export {
  type HopOptions,
  type HostLookup,
  judgeHop,
  judgePage,
  type JudgePage,
  MAX_HOPS,
} from './web/hop.ts'
export { type Address, readUrl } from './web/url.ts'
export { isStricter } from './rule/mode.ts'
export { suggestedRules } from './rule/suggest-for-each.ts'
