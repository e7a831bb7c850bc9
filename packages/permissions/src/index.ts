export type { Alias, AliasSettings } from './alias/aliases.ts'
export { type ToolAccess, type ArgumentType, canonicalTools } from './decide/canonical-tools.ts'
export type { Approval, ApprovalRequest, NetworkNotice } from './decide/approval.ts'
export type { OtherTools, PermissionCall, Trust } from './decide/call.ts'
export type { ResultChecks } from './decide/checks.ts'
export { decide, type Permissions } from './decide/decide.ts'
export { describeCode } from './decide/code-files.ts'
export type { Decision, DecisionPart, RunCode } from './decide/decision.ts'
export type { FetchOperation, FileOperation, Operation } from './decide/operation.ts'
export type {
  FileIdentity,
  FileSystemView,
  FileVersion,
  FolderEntry,
  ListOptions,
  Repository,
  TemporaryMount,
} from './decide/file-system.ts'
export { judgeFile } from './path/judge.ts'
export type { ProtectionSettings } from './path/protected.ts'
export { lintRules, type RuleNote } from './rule/lint.ts'
export { type PermissionMode, PERMISSION_MODES } from './rule/mode.ts'
export {
  type ReadRules,
  readRules,
  type ReadRulesOptions,
  type RuleTexts,
} from './rule/read-rules.ts'
export type { Rule, RuleProblem, RuleScope, RuleSource, Verdict } from './rule/rule.ts'
export { suggestRules } from './rule/suggest.ts'
export {
  type RuleSuggestion,
  suggestRuleForEach,
  type SuggestOptions,
} from './rule/suggest-for-each.ts'
export type { ShellCommand, ShellScript } from './shell/script.ts'
export { judgeFetch } from './web/judge.ts'
