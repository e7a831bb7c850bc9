import { z } from 'zod'
import type { RuleScope, RuleSource } from '@toolglot/permissions'
import type { FolderTrust, SettingsProblem } from '@toolglot/workspace'
import { typed } from './described.ts'

/** The field of an input that names a folder. */
export const folder: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(4096)
  .optional()
  .describe('The absolute path of the folder to work in. Default: the folder of the server.')

/** An input that names a folder. */
export interface InFolder {
  readonly folder?: string | undefined
}

/** Whose settings something is from. */
export const scope: z.ZodType<RuleScope> = z
  .enum(['managed', 'cli', 'local', 'project', 'user'])
  .describe(
    "Whose settings: the administrator's, this request's or the command line's, the folder's local ones, the folder's own, the user's.",
  )

/** Where something was written in settings. */
export interface Place {
  readonly scope: RuleScope
  readonly file?: string
  /** Counted from 1. */
  readonly line?: number
}

/** The fields that say where something was written. */
export const placeFields: {
  readonly scope: typeof scope
  readonly file: z.ZodOptional<z.ZodString>
  readonly line: z.ZodOptional<z.ZodNumber>
} = {
  scope,
  file: z.string().optional().describe('The file that it is written in.'),
  line: z.number().optional().describe('The line in that file, counted from 1.'),
}

/** Where something was written, without what is only of use to the reader of rules. */
export function placeOf({ scope: whose, file, line }: RuleSource): Place {
  return {
    scope: whose,
    file,
    line,
  }
}

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

/** Something that is wrong in a settings file. */
export type ListedProblem = SettingsProblem

/** The schema of a problem in a settings file. */
export const settingsProblem: z.ZodType<ListedProblem> = typed(
  z
    .object({
      file: z.string(),
      line: z.number().optional().describe('Counted from 1.'),
      reason: z.string(),
    })
    .meta({ id: 'SettingsProblem' }),
)
