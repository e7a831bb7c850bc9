import type { CheckedPicture } from './check-picture.ts'

/** What a drawn protocol is saved as. */
export function fileName(result: CheckedPicture | undefined): string {
  return `${result?.id ?? 'protocol'}.ts`
}
