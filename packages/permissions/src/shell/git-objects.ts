import type { Operand } from './option.ts'

/** How to distinguish words that name commits, files in commits, and paths. */
export interface ObjectWords {
  /** The index of `--`, after which only paths follow; -1 if there is none. */
  readonly mark: number
  /** Whether a path exists. */
  readonly exists: (path: string) => boolean
}

/** Whether words name a commit without a path, so that all its files are shown. `HEAD:a` is one file. */
export function showsWhole(operands: readonly Operand[], { mark, exists }: ObjectWords): boolean {
  const isFile = ({ value }: Operand): boolean => value !== undefined && /:./.test(value)
  const isPath = (operand: Operand): boolean =>
    mark < 0
      ? operand.value !== undefined && !isFile(operand) && exists(operand.value)
      : operand.at > mark
  return !operands.some(isPath) && !(operands.length > 0 && operands.every(isFile))
}

/** Whether words name an object by its hash, which may be any file or folder. */
export const namesHash = (
  operands: readonly Operand[],
  { mark }: Pick<ObjectWords, 'mark'>,
): boolean =>
  operands.some(
    ({ value, at }) =>
      (mark < 0 || at < mark) && value?.split(/\.{2,3}/).some((word) => HASH.test(word)),
  )

/** `v1-2-gab12` is `ab12`; `ab12~` and `ab12^` are commits. */
const HASH = /^\^?(?:.*-g)?[0-9a-f]{4,64}(?:\^\{|:|$)/i
