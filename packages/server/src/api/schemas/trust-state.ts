import type { FolderTrust } from '@toolglot/workspace'
import { z } from 'zod'

/** Whether a folder is trusted. */
export const trustState: z.ZodType<FolderTrust> = z
  .enum(['trusted', 'changed', 'untrusted'])
  .describe(
    'Whether a person trusts the folder. `changed`: its settings are no longer those that they saw.',
  )

/** The trust in a folder that may have been removed. */
export type KnownFolderTrust = FolderTrust | 'gone'

/** Whether a folder is trusted, if it still exists. */
export const knownFolderTrust: z.ZodType<KnownFolderTrust> = z
  .enum(['trusted', 'changed', 'untrusted', 'gone'])
  .describe('Whether a person trusts the folder. `gone`: there is no such folder any more.')
