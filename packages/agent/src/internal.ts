// Shared with the other packages of this repository. Not a public API: it may change without
// notice.
import * as fieldRules from './options/rule.ts'

export { hasMarks } from './context/call-advice.ts'
export { textOf, isImageUrl } from './model/chat-message.ts'
export type { ChatMessageInput } from './model/template/chat-variables.ts'
export { createChatTemplate } from './model/template/chat-template.ts'
export { startOfLastDays } from './journal/statistics/tallies.ts'
export { parametersOf } from './registry/toolkit.ts'
export { describeThrown } from './result/describe-thrown.ts'
export { looksLikeKey, redactAll } from './result/redact.ts'
export { isWrittenAsAsked } from './run/calls/calls-without-marks.ts'
export { checkRunRules, runRulesFor, withRunRules } from './run/approval/run-rules.ts'
export { readPermissions } from './run/approval/run-rules.ts'
export { withoutUndefined } from './options/without-undefined.ts'
export { checkFields } from './options/check-fields.ts'
export type { FieldRules } from './options/rule.ts'
export { checkConfig } from './registry/tool-call-config.ts'
export { serialize } from './result/serialize.ts'
export { readHistory } from './run/resume/history.ts'
export { timeLimit, unlessAborted } from './time/time-limit.ts'
export { toolsByName } from './tool/any-tool.ts'
export { checkArguments } from './tool/check-arguments.ts'
export { duplicateKeyProblem } from './tool/duplicate-key.ts'
export { causeOf } from './tool/failure-result.ts'
export { isHostName } from './tool/network-answer.ts'
export { isObject, jsonSchemaOf } from './tool/json-schema.ts'

/** Rules for the fields of objects. */
export const rules: typeof fieldRules = fieldRules
