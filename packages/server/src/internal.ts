// Shared with the other packages of this repository. Not a public interface: it may change without
// notice.
export { describeApi } from './api/describe-api.ts'
export { rememberedPort } from './node/port.ts'
export { whoAnswers } from './node/port.ts'
export type { Scope } from './route.ts'
export { createLoginLink } from './security/login.ts'
export { createSharedLoginLink } from './security/shared-values.ts'
export { type SharedTokens, sharedTokens } from './security/shared-values.ts'
export { openTokens, tokensProblem, type Tokens } from './security/tokens.ts'
