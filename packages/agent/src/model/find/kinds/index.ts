import { completionKind } from './completion.ts'
import type { ModelKind } from './kind.ts'
import { localKind } from './local.ts'
import { providerKind } from './provider.ts'
import { urlKind } from './url.ts'

/** The kinds of models that are available on every platform. */
export const modelKinds: readonly ModelKind[] = [completionKind(), localKind, providerKind, urlKind]
