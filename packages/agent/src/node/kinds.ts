import type { ModelKind } from '../model/find/kinds/kind.ts'
import { browserKind } from './browser/browser-kind.ts'
import { completionKind } from '../model/find/kinds/completion.ts'
import { ggufKind } from './gguf/gguf-kind.ts'
import { templateFiles } from './template-files.ts'

/**
 * The kinds of models that require Node: chat pages in a browser, model files, and raw completion
 * with template files.
 */
export const nodeModelKinds: readonly ModelKind[] = [
  browserKind,
  completionKind(templateFiles),
  ggufKind,
]
